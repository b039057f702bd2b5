// comm/nodes: which ranks share a node.
#pragma once

#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"

namespace weft {

/// For every rank, the number of its node; nodes are numbered by their lowest rank. Ranks share a
/// node if they can share memory. With `pretend`, nodes hold that many consecutive ranks instead:
/// {2} two each, {1, 3} one, three, one, three and so on. Collective.
std::vector<int> nodes_of_ranks(const Communicator& comm, const std::vector<int>& pretend = {});

/// "2", or "1,3": what `pretend` above takes. Error::invalid, naming `what`.
std::vector<int> parse_node_sizes(const std::string& text, const std::string& what);

/// WEFT_NODE_SIZE; empty if it is not set. Error::invalid if it cannot be read.
std::vector<int> node_sizes_of_environment();

/// What all ranks pretend: `asked`, or what the environment says where it is empty. Collective;
/// Error::invalid on all ranks for a node of none, Error::mismatch where they differ.
std::vector<int> agreed_node_sizes(const Communicator& comm, const std::vector<int>& asked);

}  // namespace weft
