// grid/blocks: cuts a box where all tilings have an edge.

#include "weft/grid/blocks.hpp"

#include <algorithm>

namespace weft {

std::size_t Blocks::count() const {
  std::size_t blocks = 1;
  for (const auto& along : ranges) blocks *= along.size();
  return blocks;
}

std::size_t Blocks::number_of(const Dims& point) const {
  std::size_t number = 0;
  for (int a = 0; a < point.size(); ++a) {
    const auto& along = ranges[static_cast<std::size_t>(a)];
    const auto behind =
        std::upper_bound(along.begin() + 1, along.end(), point[a],
                         [](std::int64_t at, const Range& range) { return at < range.lo; });
    number = number * along.size() + static_cast<std::size_t>(behind - along.begin() - 1);
  }
  return number;
}

std::int64_t Blocks::points() const {
  std::int64_t most = 1;
  for (const auto& along : ranges) {
    std::int64_t longest = 0;
    for (const Range& range : along) longest = std::max(longest, range.hi - range.lo);
    most *= longest;
  }
  return most;
}

Blocks blocks_around(const Box& box, const std::vector<int>& whole_axes,
                     const std::vector<TileRanges>& tilings) {
  Blocks blocks;
  for (int axis = 0; axis < box.axes(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    auto& along = blocks.ranges.emplace_back();
    std::int64_t lo = box.lo[axis];
    const bool is_whole = std::find(whole_axes.begin(), whole_axes.end(), axis) != whole_axes.end();
    if (!is_whole && !tilings.empty())
      for (const Range& range : tilings.front()[a]) {
        const bool is_common =
            std::all_of(tilings.begin(), tilings.end(), [&](const TileRanges& tiling) {
              return std::any_of(tiling[a].begin(), tiling[a].end(),
                                 [&](const Range& other) { return other.hi == range.hi; });
            });
        if (!is_common) continue;
        along.push_back({lo, range.hi});
        lo = range.hi;
      }
    if (along.empty()) along.push_back(box.range(axis));
  }
  return blocks;
}

}  // namespace weft
