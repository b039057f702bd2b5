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

/// The two steps of nodes_of_ranks(), for callers that agree on errors later: asks MPI, once for
/// each communicator, which is collective; and then returns the nodes, which is not.
void find_machines(const Communicator& comm);
std::vector<int> known_nodes(const Communicator& comm, const std::vector<int>& pretend);

/// Parses "2" or "1,3" into the node sizes for nodes_of_ranks. Error::invalid, naming `what`.
std::vector<int> parse_node_sizes(const std::string& text, const std::string& what);

/// The node sizes in WEFT_NODE_SIZE; empty if it is not set. Error::invalid if it cannot be parsed.
std::vector<int> node_sizes_of_environment();

/// The node sizes `asked` for or, if that list is empty, those of the environment. Error::invalid
/// for a size below 1. Not collective.
std::vector<int> asked_node_sizes(const std::vector<int>& asked);

/// What they are called where ranks differ.
inline constexpr const char* node_sizes_name = "node size (WEFT_NODE_SIZE)";

/// The same, and Error::mismatch where ranks differ; errors are those of all ranks. Collective.
std::vector<int> agreed_node_sizes(const Communicator& comm, const std::vector<int>& asked);

}  // namespace weft
