// injection/cases: small programs that plan and transform, in which faults are injected.
// Keeps: every number that a run without an error returns is compared with a direct sum.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "support/dice.hpp"
#include "weft/weft.hpp"

namespace weft::test {

/// A program, drawn from a seed.
struct Case {
  Problem problem;
  Options options;
  int ranks = 1;
  int instances = 0;             ///< of an ensemble; 0: one plan
  bool takes_any_array = false;  ///< arrays that weft has not made
  bool has_callbacks = false;
  bool sets_callbacks_late = false;  ///< when a progress thread may have ended the run

  std::string text() const;
};

/// The case of this seed on 2 to `most` ranks. With `on_nodes`, every node has two ranks at least,
/// which share memory.
Case draw_case(std::uint64_t seed, int most, bool on_nodes);

/// What became of a case on this rank.
struct Outcome {
  enum Stage { planning, running, done };
  Stage stage = planning;  ///< where an error ended it; done: no error
  std::string error;       ///< what the error said
  std::string wrong;       ///< which number was wrong; empty: none
  int callbacks_failed = 0;
};

/// Plans and transforms there and back, twice. Collective over `comm`.
Outcome run_case(const Case& of, MPI_Comm comm, std::uint64_t seed);

}  // namespace weft::test
