// memory/tile_walk: walks over memory as passes do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// What `tile` of walk_by_tiles() needs. A choice: it fits the cache of any core, with room for
/// what is loaded next.
constexpr std::int64_t tile_walk_bytes = std::int64_t{128} << 10;

/// Loads `bytes` bytes at `from` into a tile in the cache and stores them at `to`, tile by tile, as
/// the loads and stores of passes do: at least half in contiguous tiles, and of the other half as
/// much as fills whole tiles in columns, whose rows of 512 bytes are far from each other. Both are
/// slower than a copy, which loads and stores at the same time. With `streaming`, stores bypass the
/// cache.
void walk_by_tiles(const std::byte* from, std::byte* to, std::int64_t bytes, std::byte* tile,
                   bool streaming);

}  // namespace weft
