// replay/node_signals: the signals of all nodes in one run.
// Pure.
#pragma once

#include <span>
#include <vector>

#include "weft/proof/check.hpp"

namespace weft {

/// How often each signal has been raised, and who awaits it.
class NodeSignals {
 public:
  /// `set` must outlive it.
  explicit NodeSignals(const ProgramSet& set);

  struct Awaiting {
    int rank, task;
  };
  /// `rank` raises its signal `number`. Returns the tasks that have awaited this, if it was the
  /// last raise.
  std::span<const Awaiting> raise(int rank, int number);
  /// Whether what this task awaits has come; if not, a later raise() returns the task.
  bool await(int rank, int task);

 private:
  struct State {
    int raised = 0;
    std::vector<Awaiting> awaiting;
  };
  State& state(int rank, int number);
  int raisers(int rank, int number) const;

  const ProgramSet& set_;
  std::vector<std::vector<State>> states_;  // by node and signal
};

}  // namespace weft
