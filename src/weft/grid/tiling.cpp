// grid/tiling: chooses the widths of tiles and lists the tiles.

#include "weft/grid/tiling.hpp"

#include <algorithm>

#include "weft/grid/split.hpp"

namespace weft {

namespace {

// Two cache lines: rows of a group are not made longer than this just because the rows of its tile
// are longer.
constexpr std::int64_t least_group_run_bytes = 128;

// The ranges of tiles along one axis: each interval between two cuts is divided into parts of at
// most `width`, up to rounding. From 8 points on, parts are rounded up to multiples of four points,
// so that the rows of a tile of complex doubles start on cache lines (four points are 64 bytes).
std::vector<Range> ranges_along(Range axis, std::int64_t width,
                                const std::vector<std::int64_t>& cuts) {
  std::vector<std::int64_t> edges{axis.lo};
  for (auto cut : cuts)
    if (cut > edges.back() && cut < axis.hi) edges.push_back(cut);
  edges.push_back(axis.hi);
  std::vector<Range> ranges;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const std::int64_t n = edges[i + 1] - edges[i];
    const std::int64_t parts = (n + width - 1) / width;
    std::int64_t even = (n + parts - 1) / parts;
    if (even >= 8) even = (even + 3) / 4 * 4;
    for (std::int64_t lo = edges[i]; lo < edges[i + 1]; lo += even)
      ranges.push_back({lo, std::min(lo + even, edges[i + 1])});
  }
  return ranges;
}

}  // namespace

std::int64_t GroupLimits::run(std::int64_t line_points) const {
  std::int64_t run = long_run;
  while (run > least_run && line_points * run > long_run_points) run /= 2;
  return std::max(run, least_run);
}

GroupLimits group_limits(const TileLimits& tile, std::int64_t element_bytes, bool keeps_columns) {
  GroupLimits group;
  group.points = std::max<std::int64_t>(1, tile.points / groups_in_a_tile);
  // Columns are half as wide in the level-1 cache as lines.
  if (keeps_columns) group.points *= 2;
  group.least_run = std::min(tile.least_run, least_group_run_bytes / element_bytes);
  group.long_run = tile.long_group_run;
  group.long_run_points = tile.long_group_points;
  return group;
}

TileRanges tile_ranges(const Box& box, const std::vector<int>& whole_axes, const TileLimits& limits,
                       const std::vector<std::vector<std::int64_t>>& cuts) {
  const int axes = box.axes();
  const auto is_whole = [&](int axis) {
    return std::find(whole_axes.begin(), whole_axes.end(), axis) != whole_axes.end();
  };
  std::int64_t points = 1;
  for (int axis : whole_axes) points *= box.extent(axis);

  const int run_axis = limits.run_axis >= 0 ? limits.run_axis : axes - 1;
  std::vector<int> inner_first{run_axis};
  for (int axis = axes - 1; axis >= 0; --axis)
    if (axis != run_axis) inner_first.push_back(axis);

  TileRanges ranges(static_cast<std::size_t>(axes));
  bool may_grow = true;
  for (const int axis : inner_first) {
    auto& along = ranges[static_cast<std::size_t>(axis)];
    if (is_whole(axis)) {
      along.push_back(box.range(axis));
      continue;
    }
    std::int64_t width = may_grow ? std::max<std::int64_t>(1, limits.points / points) : 1;
    if (axis == run_axis) width = std::max(width, limits.least_run);
    width = std::min(width, box.extent(axis));
    const bool cuttable = static_cast<std::size_t>(axis) < cuts.size();
    along =
        ranges_along(box.range(axis), width,
                     cuttable ? cuts[static_cast<std::size_t>(axis)] : std::vector<std::int64_t>{});
    may_grow = may_grow && along.size() == 1;
    points *= width;
  }
  return ranges;
}

std::vector<Box> tiles_of(const Box& box, const std::vector<int>& whole_axes,
                          const TileLimits& limits,
                          const std::vector<std::vector<std::int64_t>>& cuts) {
  std::vector<Box> tiles;
  if (box.empty()) return tiles;
  const int axes = box.axes();
  const TileRanges ranges = tile_ranges(box, whole_axes, limits, cuts);
  std::vector<std::size_t> at(static_cast<std::size_t>(axes), 0);
  while (true) {
    Box tile = box;
    for (int a = 0; a < axes; ++a)
      tile.set(a, ranges[static_cast<std::size_t>(a)][at[static_cast<std::size_t>(a)]]);
    tiles.push_back(tile);
    int a = axes - 1;
    for (; a >= 0; --a) {
      auto& i = at[static_cast<std::size_t>(a)];
      if (++i < ranges[static_cast<std::size_t>(a)].size()) break;
      i = 0;
    }
    if (a < 0) return tiles;
  }
}

}  // namespace weft
