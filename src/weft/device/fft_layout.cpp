// device/fft_layout: strides become extents of arrays.

#include "weft/device/fft_layout.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"

namespace weft {

namespace {

// What is stored along an axis on one side. The last axis is halved on the complex side.
std::int64_t stored(const Lines& lines, const FftLayout& layout, int axis, bool is_in) {
  const bool is_half =
      axis + 1 == layout.axes && lines.kind == (is_in ? LineKind::c2r : LineKind::r2c);
  const std::int64_t points = layout.points.at(static_cast<std::size_t>(axis));
  return is_half ? points / 2 + 1 : points;
}

// The extents of an array with these strides of the axes before the last; false if there is none.
bool set_side(const Lines& lines, const FftLayout& layout, bool is_in, FftLayout::Side& side) {
  side.stride = is_in ? lines.in_stride : lines.out_stride;
  std::int64_t inner = side.stride;
  for (int axis = layout.axes - 1; axis >= 0; --axis) {
    const std::int64_t least = stored(lines, layout, axis, is_in);
    std::int64_t& held = side.held.at(static_cast<std::size_t>(axis));
    held = least;
    if (axis == 0) break;
    const Lines::Loop& outer = lines.more_axes.at(static_cast<std::size_t>(axis - 1));
    const std::int64_t stride = is_in ? outer.in_stride : outer.out_stride;
    if (inner <= 0 || stride % inner != 0 || stride / inner < least) return false;
    held = stride / inner;
    inner = stride;
  }
  if (lines.loops.empty())
    side.distance = inner * side.held.front();
  else
    side.distance = is_in ? lines.loops.front().in_stride : lines.loops.front().out_stride;
  return side.stride > 0 && side.distance > 0;
}

}  // namespace

std::int64_t FftLayout::largest() const {
  std::int64_t most = batch;
  for (const Side& side : {in, out}) {
    std::int64_t elements = side.stride;
    for (int axis = 0; axis < axes; ++axis)
      elements = bounded_product(elements, side.held.at(static_cast<std::size_t>(axis)));
    most = std::max({most, elements, bounded_product(batch, side.distance)});
  }
  return most;
}

std::optional<FftLayout> fft_layout(const Lines& lines) {
  FftLayout layout;
  layout.axes = static_cast<int>(lines.more_axes.size()) + 1;
  if (layout.axes > FftLayout::most_axes || lines.loops.size() > 1) return std::nullopt;
  for (std::size_t a = 0; a < lines.more_axes.size(); ++a)
    layout.points.at(a) = lines.more_axes[a].count;
  layout.points.at(lines.more_axes.size()) = lines.n;
  if (!lines.loops.empty()) layout.batch = lines.loops.front().count;
  if (!set_side(lines, layout, true, layout.in) || !set_side(lines, layout, false, layout.out))
    return std::nullopt;
  return layout;
}

}  // namespace weft
