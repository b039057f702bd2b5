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

/// Who stores, keeps, sends and receives what in a node.
class NodeExchange {
 public:
  NodeExchange(const Redistribution& moves, const Machine& machine, int node,
               std::int64_t element_bytes);

  /// The ranks of the node, ascending, and what each of them sends.
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
  /// The boxes that a rank stores for (loads from) ranks of its node, itself included.
  const std::vector<StationaryBox>& outgoing(int rank) const { return outgoing_[member(rank)]; }
  const std::vector<StationaryBox>& incoming(int rank) const { return incoming_[member(rank)]; }
  /// The size of a rank's stationary buffer, in elements.
  std::int64_t stationary_elements(int rank) const { return stationary_elements_[member(rank)]; }

  /// By cell, the number of ranks that store part of it, and of ranks that receive segments of it.
  const std::vector<int>& storers() const { return storers_; }
  const std::vector<int>& receivers() const { return receivers_; }
  /// The messages to and from other nodes.
  const NodeTraffic& traffic() const { return traffic_; }

 private:
  std::size_t member(int rank) const;

  std::vector<int> ranks_;
  std::vector<std::vector<Transfer>> sends_;
  std::vector<std::vector<StationaryBox>> outgoing_, incoming_;
  std::vector<std::int64_t> stationary_elements_;
  std::vector<int> storers_, receivers_;
  NodeTraffic traffic_;
};

}  // namespace weft
