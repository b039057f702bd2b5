// planning/rank_boxes: what ranks, and nodes, have of a decomposition, computed once.
#pragma once

#include <unordered_map>
#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/machine/machine.hpp"

namespace weft {

/// The ranks of each node, ascending.
class RanksOfNodes {
 public:
  explicit RanksOfNodes(const Machine& machine);

  /// `visit(rank)` for each rank of a node.
  template <class Visit>
  void for_each(int node, const Visit& visit) const {
    const auto n = static_cast<std::size_t>(node);
    for (std::size_t i = first_[n]; i < first_[n + 1]; ++i) visit(ranks_[i]);
  }

 private:
  std::vector<std::size_t> first_;  // by node: its first rank in ranks_
  std::vector<int> ranks_;          // by node
};

/// The boxes of ranks, and of nodes, in a decomposition; those that were asked for are kept. Not
/// for several threads at once.
class RankBoxes {
 public:
  /// All must outlive this.
  RankBoxes(const Decomposition& at, const Machine& machine, const RanksOfNodes& ranks)
      : at_(&at), machine_(&machine), ranks_(&ranks) {}

  const Decomposition& at() const { return *at_; }
  const std::vector<Box>& of_rank(int rank);
  /// The boxes of all ranks of the node that `rank` is on, united on a process grid.
  const std::vector<Box>& near(int rank);

 private:
  const Decomposition* at_;
  const Machine* machine_;
  const RanksOfNodes* ranks_;
  std::unordered_map<int, std::vector<Box>> of_rank_, of_node_;
};

}  // namespace weft
