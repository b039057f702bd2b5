// memory/point_copy: copies a box of points between a tile and an array that holds only some of
// them.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "weft/base/dims_text.hpp"
#include "weft/grid/point_map.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// Copies boxes of the same extents and strides between a tile in the cache ("near") and an array
/// ("far") whose points a PointMap places. Elements are complex numbers.
class PointCopy {
 public:
  /// Strides of elements in the tile, and of numbers of points; `row_axis` as in PointMap.
  PointCopy(const Dims& extents, const Dims& near_strides, const Dims& point_strides, int row_axis);

  /// Loads the points from number `first` on; those that the array does not hold are zero.
  void load(std::byte* near, const std::byte* array, std::int64_t first, const PointMap& map,
            Precision precision) const;
  /// Stores the points that the array holds, times `factor`.
  void store(const std::byte* near, std::byte* array, std::int64_t first, const PointMap& map,
             Precision precision, double factor) const;

  friend auto operator<=>(const PointCopy&, const PointCopy&) = default;

 private:
  struct Axis {
    std::int64_t n, near, point;
    friend auto operator<=>(const Axis&, const Axis&) = default;
  };
  template <class Row>
  void for_each_row(std::int64_t near, std::int64_t point, const Row& row, int level = 0) const;

  // The axis of rows last; before it the others, the largest distance between points first.
  std::array<Axis, Dims::capacity> axes_{};
  int count_ = 0;
};

}  // namespace weft
