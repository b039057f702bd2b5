// making/node_exchange: the part of an exchange that all ranks of a node have in common, if it
// shares memory.
// Pure. Keeps: it is computed once for all ranks of the node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/grid/redistribution.hpp"
#include "weft/machine/machine.hpp"
#include "weft/making/segments.hpp"

namespace weft {

/// What NodeTraffic takes as the size of the smallest segments.
inline std::int64_t least_elements_of_segment(const Machine& machine, std::int64_t element_bytes) {
  return std::max<std::int64_t>(1, machine.segment_bytes / element_bytes);
}

/// What of an exchange is in the stationary buffers of the ranks of a node.
struct StationaryRule {
  bool others_only = false;  ///< not what a rank keeps for itself
  int slots = 0;  ///< only so many cells at a time, each in the place of an earlier one; 0: all
};

/// Who stores, keeps, sends and receives what in a node.
class NodeExchange {
 public:
  NodeExchange(const Redistribution& moves, const Machine& machine, int node,
               std::int64_t element_bytes, const StationaryRule& rule = {});

  /// The ranks of the node, ascending, and what each of them sends; through a ring only what it
  /// sends to others.
  const std::vector<int>& ranks() const { return ranks_; }
  const std::vector<Transfer>& sends(int rank) const { return sends_[member(rank)]; }
  /// Whether `rank` belongs to the node.
  bool has(int rank) const;

  /// A box that stays in the node: `source_rank` stores it, and `target_rank` loads it.
  struct StationaryBox {
    int source_rank, target_rank;
    Box box;
    int cell;
    std::int64_t offset;  ///< elements, in the stationary buffer of source_rank
  };
  /// The boxes in stationary buffers that a rank stores for (loads from) ranks of its node, itself
  /// included unless the rule says otherwise.
  const std::vector<StationaryBox>& outgoing(int rank) const { return outgoing_[member(rank)]; }
  const std::vector<StationaryBox>& incoming(int rank) const { return incoming_[member(rank)]; }
  /// The size of a rank's stationary buffer, in elements.
  std::int64_t stationary_elements(int rank) const { return stationary_elements_[member(rank)]; }

  /// By cell, the number of ranks that store part of it, of ranks that receive segments of it, and
  /// of ranks that load from the stationary buffers of others.
  const std::vector<int>& storers() const { return storers_; }
  const std::vector<int>& receivers() const { return receivers_; }
  const std::vector<int>& loaders() const { return loaders_; }
  /// The messages to and from other nodes.
  const NodeTraffic& traffic() const { return traffic_; }

 private:
  std::size_t member(int rank) const;
  void lay_out(int rank, const StationaryRule& rule);
  void count_loaders();

  std::vector<int> ranks_;
  std::vector<std::vector<Transfer>> sends_;
  std::vector<std::vector<StationaryBox>> outgoing_, incoming_;
  std::vector<std::int64_t> stationary_elements_;
  std::vector<int> storers_, receivers_, loaders_;
  NodeTraffic traffic_;
};

}  // namespace weft
