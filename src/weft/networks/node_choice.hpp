// networks/node_choice: which of the free nodes of a network a job should have.
// Pure.
#pragma once

#include <vector>

#include "weft/machine/network.hpp"

namespace weft {

/// `count` of the `free` nodes that are near each other: grown from the free node from which the
/// routes to the others are shortest, node by node; ascending. Where more than 8192 nodes are free
/// (2^22 / count for more than 512 nodes), only those nearest to this one are looked at.
/// Error::invalid if there are not so many.
std::vector<int> connected_nodes(const Network& network, const std::vector<int>& free, int count);

/// `count` of the `free` nodes whose messages meet little: grown from the same node, each time by
/// the node with which the busiest link has least to do if all chosen nodes send equally much to
/// each other; of equal ones, and among the 128 nearest only (2^22 / count^2 for more than 181
/// nodes), by the nearest. On a dragonfly, these are nodes of different routers that are directly
/// connected, as those of one router share its links. Ascending; errors as of connected_nodes.
std::vector<int> uncrowded_nodes(const Network& network, const std::vector<int>& free, int count);

}  // namespace weft
