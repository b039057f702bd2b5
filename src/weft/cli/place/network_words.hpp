// cli/place/network_words: nodes, switches and links of a network in words.
// Pure.
#pragma once

#include <string>

#include "weft/machine/network.hpp"

namespace weft::cli {

/// "node 12 (4, 1, 0)", "router 3 of chassis 2 of group 0", "switch 5 of level 1", "the switch".
std::string vertex_text(const NetworkShape& shape, const Network& network, int vertex);

/// "from node 12 (4, 1) to node 20 (4, 2)".
std::string link_text(const NetworkShape& shape, const Network& network, const Link& link);

/// The links to which a link of this network belongs: "along dimension 1", "between groups",
/// "level 0 to 1".
std::string link_kind(const NetworkShape& shape, const Network& network, const Link& link);

}  // namespace weft::cli
