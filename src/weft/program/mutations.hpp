// program/mutations: programs without one kind of wait, for tests that the check misses none.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "weft/program/check.hpp"

namespace weft {

/// A kind of wait: for one reason, of one strictness; or the awaits of one signal, in this run or
/// `lag` runs before.
struct WaitKind {
  Why why = Why::done;
  bool until_submitted = false;
  std::string signal;  ///< if not empty, this and the lag alone count
  int lag = 0;

  friend bool operator==(const WaitKind&, const WaitKind&) = default;
};

/// "stored (until submitted)", "await of arrays met", "await of left, 1 run before"
std::string to_string(const WaitKind& kind);

/// The kinds that the programs have, each once.
std::vector<WaitKind> wait_kinds(const ProgramSet& set);

/// The same programs without any wait of `kind`. An await that is removed becomes a milestone,
/// which completes at once.
ProgramSet without(ProgramSet set, const WaitKind& kind);

}  // namespace weft
