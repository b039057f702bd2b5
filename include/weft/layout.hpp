// weft/layout: where the points of one box sit in memory.
// Floor: grid.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/dims.hpp"

namespace weft {

/// Where the points of a box sit in memory: the point `i` (relative to the box) lies at element
/// sum_a i[a] * strides[a].
struct Layout {
  Dims extents;  ///< points per axis of the box
  Dims strides;  ///< elements between neighbours along an axis

  /// Last axis contiguous, nothing between the points.
  static Layout packed(const Dims& extents) { return padded(extents, extents); }
  /// Last axis contiguous, in an allocation of `room[a] >= extents[a]` points per axis.
  static Layout padded(const Dims& extents, const Dims& room);
  /// Axes in memory order, slowest first, nothing between the points.
  static Layout ordered(const Dims& extents, const std::vector<int>& slowest_first);

  /// The element of the point `index`, relative to the box.
  std::int64_t at(const Dims& index) const {
    std::int64_t offset = 0;
    for (int a = 0; a < index.size(); ++a) offset += index[a] * strides[a];
    return offset;
  }
  /// Elements from the first point to one past the last; 0 for an empty box.
  std::int64_t span() const;

  friend bool operator==(const Layout&, const Layout&) = default;
};

}  // namespace weft
