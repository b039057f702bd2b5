// model/machine: what the planner knows of where a plan will run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft {

/// Ranks, nodes, caches and threads. Link speeds and the network's shape come with the work that
/// uses them.
struct Machine {
  int ranks = 1;
  std::vector<int> node_of_rank;  ///< nodes numbered from 0; empty: every rank is its own node
  /// Cache a core has to itself (level 2): what a tile must fit into.
  std::int64_t cache_bytes = std::int64_t{1} << 20;

  /// Cache that the cores of a node share (level 3), a rank's part of it: what several passes can
  /// find again.
  std::int64_t shared_cache_bytes = std::int64_t{8} << 20;

  std::vector<int> threads_of_rank = {};  ///< that compute; empty: one on every rank

  int threads(int rank) const {
    return threads_of_rank.empty() ? 1 : threads_of_rank[static_cast<std::size_t>(rank)];
  }
  int node(int rank) const {
    return node_of_rank.empty() ? rank : node_of_rank[static_cast<std::size_t>(rank)];
  }
  int nodes() const {
    return node_of_rank.empty() ? ranks
                                : 1 + *std::max_element(node_of_rank.begin(), node_of_rank.end());
  }
  /// The ranks of a node, ascending.
  std::vector<int> ranks_of(int which) const {
    std::vector<int> members;
    for (int rank = 0; rank < ranks; ++rank)
      if (node(rank) == which) members.push_back(rank);
    return members;
  }

  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace weft
