// comm/nodes: which ranks share a node.
#pragma once

#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"

namespace weft {

/// The node of every rank. Nodes are numbered in the order of their lowest ranks. Ranks share a
/// node if they can share memory. With `pretend`, nodes have the given numbers of consecutive ranks
/// instead: {2} means two ranks each; {1, 3} means one, three, one, three and so on. Collective.
std::vector<int> nodes_of_ranks(const Communicator& comm, const std::vector<int>& pretend = {});

/// Parses "2" or "1,3" into the node sizes for nodes_of_ranks. Error::invalid, naming `what`.
std::vector<int> parse_node_sizes(const std::string& text, const std::string& what);

/// The node sizes in WEFT_NODE_SIZE; empty if it is not set. Error::invalid if it cannot be parsed.
std::vector<int> node_sizes_of_environment();

/// The node sizes `asked` for or, if that list is empty, those of the environment. Collective.
/// Error::invalid on all ranks for a size below 1, Error::mismatch where ranks differ.
std::vector<int> agreed_node_sizes(const Communicator& comm, const std::vector<int>& asked);

}  // namespace weft
