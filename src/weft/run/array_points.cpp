// run/array_points: copies whole arrays, boxes or rows.

#include "weft/run/array_points.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace weft {

// Waves lie one after another.
ArrayPoints::ArrayPoints(const Share& share)
    : element_bytes_(share.scalar.bytes()),
      fields_(share.fields),
      field_bytes_(share.array.field_stride * element_bytes_) {
  std::int64_t points = 0;
  for (const Box& box : share.boxes) points += box.volume() * share.fields;
  if (share.waves.are_given() || points == share.array.elements) {
    bytes_ = share.array.elements * element_bytes_;
    return;
  }
  for (std::size_t i = 0; i < share.boxes.size(); ++i) {
    const Layout& layout = share.array.layouts[i];
    if (!share.boxes[i].empty())
      parts_.push_back({BoxCopy(layout.extents, layout.strides, layout.strides),
                        share.array.offsets[i] * element_bytes_, rows_of(layout)});
  }
}

// Axes whose points are adjacent to those of the next one are one axis; the closest two are rows.
ArrayPoints::Rows ArrayPoints::rows_of(const Layout& layout) const {
  std::vector<Loop> axes;
  if (fields_ > 1) axes.push_back({fields_, field_bytes_});
  for (int a = 0; a < layout.extents.size(); ++a)
    if (layout.extents[a] > 1)
      axes.push_back({layout.extents[a], layout.strides[a] * element_bytes_});
  std::ranges::sort(axes, std::greater(), &Loop::apart);
  Rows rows{{element_bytes_, 1, element_bytes_}, {}};
  for (std::size_t i = axes.size(); i-- > 0;) {
    const Loop& axis = axes[i];
    if (!rows.loops.empty() && axis.apart == rows.loops.front().times * rows.loops.front().apart)
      rows.loops.front().times *= axis.times;
    else if (rows.loops.empty() && axis.apart == rows.rows.row_bytes)
      rows.rows.row_bytes *= axis.times;
    else
      rows.loops.insert(rows.loops.begin(), axis);
  }
  if (!rows.loops.empty()) {
    rows.rows.rows = rows.loops.back().times;
    rows.rows.apart = rows.loops.back().apart;
    rows.loops.pop_back();
  }
  return rows;
}

void ArrayPoints::copy(const std::byte* from, std::byte* to) const {
  if (bytes_ > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes_));
  for (std::int64_t field = 0; field < fields_; ++field)
    for (const Part& part : parts_) {
      const std::int64_t at = field * field_bytes_ + part.offset;
      // Both have the same layout, so either may be what BoxCopy calls near.
      part.box.load(to + at, from + at, element_bytes_);
    }
}

namespace {

// Calls `body` with every sum of multiples of the steps of the loops.
template <class Loop, class Body>
void for_each_offset(const std::vector<Loop>& loops, std::size_t level, std::int64_t offset,
                     const Body& body) {
  if (level == loops.size()) return body(offset);
  for (std::int64_t i = 0; i < loops[level].times; ++i)
    for_each_offset(loops, level + 1, offset + i * loops[level].apart, body);
}

}  // namespace

void ArrayPoints::enqueue_copy(DeviceDriver& driver, DeviceStream stream, const std::byte* from,
                               std::byte* to) const {
  if (bytes_ > 0) driver.copy(stream, to, from, bytes_);
  for (const Part& part : parts_)
    for_each_offset(part.rows.loops, 0, part.offset, [&](std::int64_t at) {
      driver.copy_rows(stream, to + at, from + at, part.rows.rows);
    });
}

}  // namespace weft
