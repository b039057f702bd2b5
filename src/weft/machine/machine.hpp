// machine/machine: what the planner knows about the machine on which a plan will run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/machine/block_limits.hpp"

namespace weft {

/// What was measured between nodes and in the memory of a rank; all 0 if nothing was.
struct Speeds {
  double walked_bytes_per_second = 0;  ///< loaded and stored by a rank while all ranks do
  double node_bytes_per_second = 0;    ///< sent by a node, which also receives, while all nodes do
  double message_seconds = 0;          ///< from one node to another, of no size
  double cached_bytes_per_second = 0;  ///< as the first, in the shared cache; 0 if not known
  /// What complex double lines of `known_line` points take in the cache of a core; 0 if not known.
  double transform_seconds_per_point = 0;
  /// What each byte that a rank sends to or receives from another node takes of the time in which
  /// it could compute; 0 if the network does it all, or this is not known.
  double message_seconds_per_byte = 0;
  /// What a rank takes to send one message and to receive one, while several are under way; 0 if
  /// not known.
  double message_overhead_seconds = 0;

  static constexpr std::int64_t known_line = 256;
  bool are_known() const { return walked_bytes_per_second > 0; }
  bool are_links_known() const { return are_known() && node_bytes_per_second > 0; }
  friend bool operator==(const Speeds&, const Speeds&) = default;
};

/// Ranks, nodes, caches, threads and speeds.
struct Machine {
  int ranks = 1;
  std::vector<int> node_of_rank;  ///< nodes are numbered from 0; empty: every rank is its own node
  /// The cache of one core (level 2), into which a tile must fit.
  std::int64_t cache_bytes = std::int64_t{1} << 20;
  /// One rank's part of the cache that the cores of a node share (level 3): what one pass has
  /// stored there, the next pass of a sweep finds again.
  std::int64_t shared_cache_bytes = std::int64_t{8} << 20;

  std::vector<int> threads_of_rank = {};  ///< that compute; empty: one on every rank
  /// Why ranks of one node were given different numbers in node_of_rank; empty if none were.
  std::string why_not_shared = {};
  /// MPI sends messages below this size without asking the receiver, as Open MPI does over TCP.
  std::int64_t eager_message_bytes = std::int64_t{1} << 16;
  /// Messages between nodes of less than four times this size are cut into no smaller segments. MPI
  /// accepts a message of this size at once (Open MPI over TCP), so smaller ones only add messages.
  std::int64_t segment_bytes = std::int64_t{1} << 16;
  Speeds speeds = {};
  /// Whether devices transform. A pass then has one axis, but for tile_bytes, and tiles may be as
  /// large as they like, as a device cuts them anew.
  bool has_devices = false;
  /// Of devices: what a block of threads has on each of them, of which a line must not need more.
  BlockLimits block = {};
  /// If data stay in memory of the processor and stream through the devices: the bytes of a tile
  /// that a device can hold. Axes then share a pass while their tiles fit. 0: devices hold all.
  std::int64_t tile_bytes = 0;

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
  /// The number of ranks of each node.
  std::vector<int> node_sizes() const {
    std::vector<int> sizes(static_cast<std::size_t>(nodes()), 0);
    for (int rank = 0; rank < ranks; ++rank) ++sizes[static_cast<std::size_t>(node(rank))];
    return sizes;
  }
  /// The ranks of node `which`, ascending.
  std::vector<int> ranks_of(int which) const {
    std::vector<int> members;
    for (int rank = 0; rank < ranks; ++rank)
      if (node(rank) == which) members.push_back(rank);
    return members;
  }

  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace weft
