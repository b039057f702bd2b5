// networks/network_of: the links and routes of every shape of network.
// Pure.
#pragma once

#include <memory>

#include "weft/machine/network.hpp"

namespace weft {

/// The network of this shape. Errors: see checked_nodes.
std::unique_ptr<const Network> network_of(const NetworkShape& shape);

}  // namespace weft
