// memory/tile_walk: the copies of passes, without transforms.

#include "weft/memory/tile_walk.hpp"

#include <algorithm>

#include "weft/memory/box_copy.hpp"

namespace weft {

namespace {

constexpr Scalar scalar{Precision::double_precision, true};
constexpr std::int64_t point_bytes = 16, tile_points = tile_walk_bytes / point_bytes;
constexpr std::int64_t columns_of_tile = 32, rows_of_tile = tile_points / columns_of_tile;

}  // namespace

void walk_by_tiles(const std::byte* from, std::byte* to, std::int64_t bytes, std::byte* tile,
                   bool streaming) {
  const auto walk = [&](const BoxCopy& copy, std::int64_t point) {
    copy.load(tile, from + point * point_bytes, point_bytes);
    copy.store(tile, to + point * point_bytes, scalar, 1, streaming);
  };
  // At most half of the bytes are walked over as a matrix of so many rows, and those before it in
  // contiguous tiles.
  const std::int64_t points = bytes / point_bytes;
  const std::int64_t row = points / 2 / rows_of_tile / columns_of_tile * columns_of_tile;
  const std::int64_t first = points - row * rows_of_tile;
  for (std::int64_t at = 0; at < first; at += tile_points)
    walk({{std::min(tile_points, first - at)}, {1}, {1}}, at);
  const BoxCopy columns({rows_of_tile, columns_of_tile}, {columns_of_tile, 1}, {row, 1});
  for (std::int64_t at = 0; at < row; at += columns_of_tile) walk(columns, first + at);
  if (streaming) finish_streaming();
}

}  // namespace weft
