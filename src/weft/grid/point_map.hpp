// grid/point_map: which of the points of a rank's boxes its array holds, and where, if it holds
// only some of them.
// Pure.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace weft {

/// A plan numbers the points of a field's boxes as if all were stored; the map says where they are.
struct PointMap {
  /// For each point, the element that holds it; ~element, which is negative, if the element holds
  /// its conjugate; `absent` if the point is zero and no element holds it.
  std::vector<std::int32_t> elements;
  /// Elements of the array from one field of a batch to the next. Numbers of points are
  /// elements.size() apart.
  std::int64_t field_stride = 0;
  /// The axis of the boxes along which neighbours are likely to be neighbours in the array.
  int row_axis = 0;

  static constexpr std::int32_t absent = std::numeric_limits<std::int32_t>::min();
};

}  // namespace weft
