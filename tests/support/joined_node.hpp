// support/joined_node: a group of the ranks of a node that all of them have joined.
#pragma once

#include <vector>

#include "weft/comm/agreement.hpp"
#include "weft/exchange/node_group.hpp"

namespace weft::test {

/// Collective. Errors are those of all ranks.
class JoinedNode : public NodeGroup {
 public:
  JoinedNode(const Communicator& whole, const std::vector<int>& node_of_rank,
             const Device& device = {})
      : NodeGroup(whole.rank(), node_of_rank, device) {
    exchange_handles(whole);
    agree(whole, [&] { map(); });
    begin();
  }
};

}  // namespace weft::test
