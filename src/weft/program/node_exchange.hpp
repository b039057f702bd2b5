// program/node_exchange: what the ranks of a node have in common in an exchange that shares memory;
// computed once for all of them.
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/redistribution.hpp"
#include "weft/model/machine.hpp"
#include "weft/program/segments.hpp"

namespace weft {

class NodeExchange {
 public:
  NodeExchange(const Redistribution& moves, const Machine& machine, int node,
               std::int64_t element_bytes);

  /// The ranks of the node, ascending, and what each of them sends.
  const std::vector<int>& ranks() const { return ranks_; }
  const std::vector<Transfer>& sends(int rank) const { return sends_[member(rank)]; }
  bool has(int rank) const;

  /// A box that stays in the node, at an element of its giver's rest buffer.
  struct Rest {
    int giver, taker;
    Box box;
    int cell;
    std::int64_t offset;
  };
  /// What a rank gives to (takes from) its node, itself included.
  const std::vector<Rest>& given(int rank) const { return given_[member(rank)]; }
  const std::vector<Rest>& taken(int rank) const { return taken_[member(rank)]; }
  /// Elements of a rank's rest buffer.
  std::int64_t rest_elements(int rank) const { return rest_elements_[member(rank)]; }

  /// By cell, how many ranks store some of it, and how many receive segments of it.
  const std::vector<int>& storers() const { return storers_; }
  const std::vector<int>& receivers() const { return receivers_; }
  /// The messages with other nodes.
  const NodeTraffic& traffic() const { return traffic_; }

 private:
  std::size_t member(int rank) const;

  std::vector<int> ranks_;
  std::vector<std::vector<Transfer>> sends_;
  std::vector<std::vector<Rest>> given_, taken_;
  std::vector<std::int64_t> rest_elements_;
  std::vector<int> storers_, receivers_;
  NodeTraffic traffic_;
};

}  // namespace weft
