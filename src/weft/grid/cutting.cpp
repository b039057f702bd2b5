// grid/cutting: computes the parts of boxes.

#include "weft/grid/cutting.hpp"

#include <algorithm>

#include "weft/grid/split.hpp"

namespace weft {

std::vector<std::int64_t> cut_positions(const std::vector<Box>& boxes, int axis, int parts) {
  std::vector<std::int64_t> positions;
  for (const Box& box : boxes)
    for (int i = 1; i < parts; ++i)
      positions.push_back(box.lo[axis] + split(box.extent(axis), parts, i).lo);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

std::vector<BoxPart> parts_of_region(const Box& region, const Box& whole, int axis, int parts) {
  std::vector<BoxPart> found;
  if (region.empty()) return found;
  const std::int64_t n = whole.extent(axis);
  const auto part_at = [&](std::int64_t index) {
    return static_cast<int>(part_of(n, parts, index - whole.lo[axis]));
  };
  const int last = part_at(region.hi[axis] - 1);
  for (int i = part_at(region.lo[axis]); i <= last; ++i) {
    const Range range = split(n, parts, i);
    Box part = region;
    part.lo[axis] = std::max(part.lo[axis], whole.lo[axis] + range.lo);
    part.hi[axis] = std::min(part.hi[axis], whole.lo[axis] + range.hi);
    if (!part.empty()) found.push_back({i, part});
  }
  return found;
}

}  // namespace weft
