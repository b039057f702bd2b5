// program/size: how much memory a program takes, before it is bound.
// Pure.
#pragma once

#include <cstdint>

#include "weft/program/program.hpp"

namespace weft {

/// Bytes of the program as a value, without texts.
std::int64_t value_bytes(const Program& program);

/// About the bytes of the program and of the tables that compute/pass makes of its tiles.
std::int64_t bound_bytes(const Program& program);

/// About the bytes of a tile, of a group of its lines, and of the buffers for lines that are stored
/// in part, for one thread.
std::int64_t tile_bytes(const Program& program);

}  // namespace weft
