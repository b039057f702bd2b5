// grid/tiling: cutting a box into tiles that fit the cache, whole along the axes to transform.
// Keeps: the tiles are disjoint and cover the box; few distinct shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box.hpp"

namespace weft {

/// How large a tile may be.
struct TileLimits {
  /// Points a tile aims for.
  std::int64_t points = 16384;
  /// Points of the last axis a tile has at least, if the box has them: what is loaded in one
  /// piece should be a few cache lines, even where the tile then exceeds `points`.
  std::int64_t least_run = 8;

  friend bool operator==(const TileLimits&, const TileLimits&) = default;
};

/// For each axis, the ranges of the tiles along it.
using TileRanges = std::vector<std::vector<Range>>;

/// The tiles of `box`, as the product of the ranges along each axis. See tiles_of.
TileRanges tile_ranges(const Box& box, const std::vector<int>& whole_axes, const TileLimits& limits,
                       const std::vector<std::vector<std::int64_t>>& cuts);

/// The tiles of `box`, whole along `whole_axes`. A tile grows from the last axis to the first
/// until it has limits.points. No tile crosses one of cuts[axis], so that a tile belongs to few
/// messages. Row-major order.
std::vector<Box> tiles_of(const Box& box, const std::vector<int>& whole_axes,
                          const TileLimits& limits,
                          const std::vector<std::vector<std::int64_t>>& cuts);

}  // namespace weft
