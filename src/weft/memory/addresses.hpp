// memory/addresses: where the buffers of a running program lie.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// Addresses of all buffers of a program, by number.
using Addresses = std::vector<std::byte*>;

}  // namespace weft
