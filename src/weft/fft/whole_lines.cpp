// fft/whole_lines: the axes in the order of a library.

#include "weft/fft/whole_lines.hpp"

#include <algorithm>

namespace weft {

namespace {

std::vector<int> axes_in_order(const WholeBox& box) {
  std::vector<int> axes = box.axes;
  std::ranges::stable_sort(axes, [&](int a, int b) {
    const bool is_half = a == box.half_axis;
    if (is_half != (b == box.half_axis)) return !is_half;
    return box.target_strides[a] > box.target_strides[b];
  });
  return axes;
}

// Loops over all points along the other axes, as few as possible.
std::vector<Lines::Loop> loops_beside(const WholeBox& box) {
  std::vector<Lines::Loop> loops;
  for (int a = 0; a < box.real_extents.size(); ++a) {
    const std::int64_t count = box.real_extents[a];
    if (count == 1 || std::ranges::find(box.axes, a) != box.axes.end()) continue;
    const Lines::Loop loop{count, box.source_strides[a], box.target_strides[a]};
    if (!loops.empty() && loops.back().in_stride == count * loop.in_stride &&
        loops.back().out_stride == count * loop.out_stride)
      loops.back() = {loops.back().count * count, loop.in_stride, loop.out_stride};
    else
      loops.push_back(loop);
  }
  return loops;
}

}  // namespace

Lines whole_lines(const WholeBox& box) {
  const std::vector<int> axes = axes_in_order(box);
  const int last = axes.back();
  Lines lines;
  if (box.half_axis >= 0) lines.kind = box.forward ? LineKind::r2c : LineKind::c2r;
  lines.precision = box.precision;
  lines.sign = box.forward ? -1 : 1;
  lines.n = box.real_extents[last];
  lines.in_stride = box.source_strides[last];
  lines.out_stride = box.target_strides[last];
  for (std::size_t i = 0; i + 1 < axes.size(); ++i)
    lines.more_axes.push_back(
        {box.real_extents[axes[i]], box.source_strides[axes[i]], box.target_strides[axes[i]]});
  lines.loops = loops_beside(box);
  lines.factor = box.factor;
  return lines;
}

}  // namespace weft
