// replay/node_signals: a signal is raised when all its raisers have raised it.

#include "weft/replay/node_signals.hpp"

#include <algorithm>

#include "weft/program/index.hpp"

namespace weft {

NodeSignals::NodeSignals(const ProgramSet& set) : set_(set) {
  const auto& nodes = set.node_of_rank;
  states_.resize(at(1 + *std::max_element(nodes.begin(), nodes.end())));
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    states_[at(nodes[rank])].resize(set.forward[rank].signals.size());
}

NodeSignals::State& NodeSignals::state(int rank, int number) {
  return states_[at(set_.node_of_rank[at(rank)])][at(number)];
}

int NodeSignals::raisers(int rank, int number) const {
  return set_.forward[at(rank)].signals[at(number)].raisers;
}

std::span<const NodeSignals::Awaiting> NodeSignals::raise(int rank, int number) {
  State& signal = state(rank, number);
  if (++signal.raised < raisers(rank, number)) return {};
  return signal.awaiting;
}

// Nothing of the run before is left to wait for.
bool NodeSignals::await(int rank, int number) {
  const Task& task = set_.forward[at(rank)].tasks[at(number)];
  State& signal = state(rank, task.index);
  if (task.lag > 0 || signal.raised >= raisers(rank, task.index)) return true;
  signal.awaiting.push_back({rank, number});
  return false;
}

}  // namespace weft
