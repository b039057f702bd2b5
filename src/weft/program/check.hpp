// program/check: proof that the programs of all ranks, run after run, have no race and no deadlock.
// Pure: compares values, runs nothing. Keeps: it takes no order for granted but what the executor
// and MPI guarantee.
#pragma once

#include <string>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// The programs of a plan, by rank. Where backward is empty only forward runs are checked.
struct ProgramSet {
  std::vector<Program> forward, backward;
  std::vector<int> node_of_rank;  ///< nodes numbered from 0; only ranks of a node share memory
  bool in_place = false;          ///< the user's two arrays are the same memory
};

/// What may go wrong, told in words that name rank, run, step, task and bytes.
struct Hazard {
  enum Kind {
    malformed,  ///< a number that names nothing, or work that no task does, or two tasks do
    unmatched,  ///< a message or collective that its other side does not have, or has otherwise
    signal,     ///< a signal that is raised too seldom or too often, or whose runs mix
    deadlock,   ///< tasks that wait for each other
    outside,    ///< an access beyond the end of a buffer
    race,       ///< two accesses to the same bytes, one of them a write, in no order
    unwritten   ///< a read of bytes that nothing has written in the run before
  };
  Kind kind = malformed;
  bool forward = true;  ///< the direction and the rank of the (first) program that is concerned
  int rank = 0;
  int task = -1;
  std::string text;
};

struct CheckOptions {
  /// Runs that follow each other: F is a forward, B a backward one. These have all pairs of
  /// directions next to each other; before, between and after them the users write their arrays.
  std::string runs = "FFBBF";
  int most_hazards = 10;  ///< the check ends when it has found as many
};

/// The hazards of `set`; none: it is proved that there are none in these runs. Steps:
///   1. all numbers name something, all work has one task           (check_structure)
///   2. sends have receives, collectives the same on all members, signals their raisers
///   (check_matches)
///   3. no tasks wait for each other, even if MPI holds back every send until its receive is posted
///      and delays the sends of an exchange that limits them         (check_order)
///   4. any two accesses to the same bytes, one of them a write, are ordered, and what is read has
///      been written                                                 (check_memory)
/// A step is taken if those before have found nothing.
/// Order between two tasks is decided exactly: for every event of a run and every rank, the tasks
/// of this rank that have completed before the event in every execution. Bytes are compared one by
/// one (in units that divide all element sizes and offsets), so memory and time are proportional to
/// the points of the problem.
std::vector<Hazard> check(const ProgramSet& set, const CheckOptions& options = {});

}  // namespace weft
