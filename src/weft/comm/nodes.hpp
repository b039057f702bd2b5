// comm/nodes: which ranks share a node.
#pragma once

#include <vector>

#include "weft/comm/communicator.hpp"

namespace weft {

/// For every rank, the number of its node; nodes are numbered by their lowest rank. Ranks share a
/// node if they can share memory. With `pretend` > 0, nodes hold that many consecutive ranks
/// instead. Collective.
std::vector<int> nodes_of_ranks(const Communicator& comm, int pretend = 0);

}  // namespace weft
