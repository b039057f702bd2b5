// memory/walk_probe: times walks.

#include "weft/memory/walk_probe.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/memory/tile_walk.hpp"

namespace weft {

double probed_walk() {
  constexpr std::size_t bytes = std::size_t{16} << 20;
  constexpr int walks = 3;
  std::vector<std::byte> from(bytes), to(bytes), tile(tile_walk_bytes);
  double least = 1;
  for (int walk = 0; walk < walks; ++walk) {
    const double begin = now();
    walk_by_tiles(from.data(), to.data(), bytes, tile.data(), true);
    least = std::min(least, now() - begin);
  }
  constexpr double least_seconds = 1e-6;  // of a clock that stands still
  return 2 * static_cast<double>(bytes) / std::max(least, least_seconds);
}

}  // namespace weft
