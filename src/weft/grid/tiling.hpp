// grid/tiling: divides a box into tiles that fit the cache and span the axes to transform.
// Keeps: the tiles are disjoint, cover the box, and have few distinct shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box_algebra.hpp"

namespace weft {

/// A tile should fill this part of the cache of a core, which also holds a group of lines,
/// prefetched data, and the tables of the FFT library: a quarter, unless its rows would be short.
constexpr std::int64_t tiles_in_a_cache = 4;

/// A group of lines should fill this part of a tile: then it fits the level-1 cache where the tile
/// fits a quarter of the level-2 cache.
constexpr std::int64_t groups_in_a_tile = 4;

/// The size of a tile.
struct TileLimits {
  /// Number of points that a tile should have.
  std::int64_t points = 16384;
  /// Minimum number of points of a tile along `run_axis`, if the box has so many: a contiguous load
  /// should be a few cache lines long, even where the tile then exceeds `points`.
  std::int64_t least_run = 8;
  /// The axis along which the points that a tile loads are adjacent in memory; -1: the last.
  int run_axis = -1;
  /// A tile of several axes is stored by groups of columns. A group is at least `long_group_run`
  /// points wide along `run_axis`, which is halved until it has at most `long_group_points` points.
  std::int64_t long_group_run = 0, long_group_points = 0;

  friend bool operator==(const TileLimits&, const TileLimits&) = default;
};

/// The sizes of the groups of lines by which a tile of several axes is loaded and stored. A group
/// has at most `points` points, unless it would be narrower along the run axis than it should be.
struct GroupLimits {
  std::int64_t points = 4096;
  std::int64_t least_run = 8;
  /// As in TileLimits.
  std::int64_t long_run = 0, long_run_points = 0;

  /// The fewest points along the run axis of a group whose lines have `line_points` points.
  std::int64_t run(std::int64_t line_points) const;

  friend bool operator==(const GroupLimits&, const GroupLimits&) = default;
};

/// The limits of groups for tiles with these limits, whose points have `element_bytes`. Columns
/// that are transformed as columns (`keeps_columns`) make groups of twice as many points.
GroupLimits group_limits(const TileLimits& tile, std::int64_t element_bytes, bool keeps_columns);

/// The ranges of the tiles along each axis.
using TileRanges = std::vector<std::vector<Range>>;

/// The ranges along each axis whose product is the list of tiles; see tiles_of.
TileRanges tile_ranges(const Box& box, const std::vector<int>& whole_axes, const TileLimits& limits,
                       const std::vector<std::vector<std::int64_t>>& cuts);

/// The tiles of `box` in row-major order; each spans `whole_axes`. A tile is extended along the
/// other axes, first the run axis, then from the last to the first, until it has limits.points. No
/// tile crosses one of cuts[axis], so that its points belong to few messages.
std::vector<Box> tiles_of(const Box& box, const std::vector<int>& whole_axes,
                          const TileLimits& limits,
                          const std::vector<std::vector<std::int64_t>>& cuts);

}  // namespace weft
