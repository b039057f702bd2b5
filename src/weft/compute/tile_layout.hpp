// compute/tile_layout: where the points of a tile are in the buffer of the tile.
#pragma once

#include <cstdint>

#include "weft/layout.hpp"

namespace weft {

/// The layout of a tile: natural order, except that axis `fastest`, if given, is contiguous.
/// Strides of half a kilobyte and more are rounded up to odd multiples of a cache line, so that the
/// rows of a tile spread over all sets of the cache, unless not `has_gaps`. Without this, a pass
/// over tiles of 256 rows of 64 complex doubles took three times as long (FFTW with estimated
/// plans).
inline Layout tile_layout(const Dims& extents, std::int64_t element_bytes, int fastest = -1,
                          bool has_gaps = true) {
  constexpr std::int64_t line = 64, worth_padding = 512;
  Layout layout{extents, Dims::filled(extents.size(), 0)};
  std::int64_t stride = 1;
  for (int i = extents.size(); i >= 0; --i) {
    const int a = i == extents.size() ? fastest : i;
    if (a < 0 || (a == fastest && i < extents.size())) continue;
    layout.strides[a] = stride;
    stride *= extents[a];
    const std::int64_t bytes = stride * element_bytes;
    if (has_gaps && extents[a] > 1 && bytes >= worth_padding) {
      std::int64_t lines = (bytes + line - 1) / line;
      lines += 1 - lines % 2;
      stride = lines * line / element_bytes;
    }
  }
  return layout;
}

}  // namespace weft
