// proof/mutations: removes one kind of wait from programs, for tests that the check finds it.
// Pure. Keeps: everything else stays the same.
#pragma once

#include <string>
#include <vector>

#include "weft/proof/check.hpp"

namespace weft {

/// A kind of wait: all waits for one reason, until submission or until completion; or, if `signal`
/// is not empty, all awaits of that signal with that lag.
struct WaitKind {
  Why why = Why::done;
  bool until_submitted = false;
  std::string signal;  ///< name of a signal; if not empty, only it and the lag count
  int lag = 0;

  friend bool operator==(const WaitKind&, const WaitKind&) = default;
};

/// For example "stored (until submitted)" or "await of left, 1 run before".
std::string to_string(const WaitKind& kind);

/// The kinds of wait in the programs, each once.
std::vector<WaitKind> wait_kinds(const ProgramSet& set);

/// The programs without any wait of `kind`. A removed await becomes a milestone, which completes at
/// once.
ProgramSet without(ProgramSet set, const WaitKind& kind);

}  // namespace weft
