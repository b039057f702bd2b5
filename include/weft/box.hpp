// weft/box: half-open index ranges and regions of the global grid.
// Floor: grid.
#pragma once

#include <cstdint>
#include <string>

#include "weft/dims.hpp"

namespace weft {

/// Half-open range [lo, hi) of indices along one axis.
struct Range {
  std::int64_t lo = 0, hi = 0;  ///< the first index, and one past the last

  /// Number of indices.
  std::int64_t size() const { return hi - lo; }
  bool empty() const { return hi <= lo; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Half-open region [lo, hi) of the global grid, 0-based.
struct Box {
  Dims lo, hi;  ///< per axis the first index, and one past the last

  /// The region that covers a whole grid.
  static Box whole(const Extents& extents) { return {Dims::filled(extents.size(), 0), extents}; }

  /// Number of axes.
  int axes() const { return lo.size(); }
  /// Its indices along `axis`, and how many these are: hi - lo, negative for some empty boxes.
  Range range(int axis) const { return {lo[axis], hi[axis]}; }
  std::int64_t extent(int axis) const { return hi[axis] - lo[axis]; }
  /// Points per axis, at least 0.
  Dims extents() const {
    Dims dims;
    for (int a = 0; a < axes(); ++a) dims.push_back(extent(a) > 0 ? extent(a) : 0);
    return dims;
  }
  /// Number of points.
  std::int64_t volume() const { return weft::volume(extents()); }
  bool empty() const {
    for (int a = 0; a < axes(); ++a)
      if (hi[a] <= lo[a]) return true;
    return false;
  }
  /// Whether the point at the global `index` lies in it.
  bool contains(const Dims& index) const {
    for (int a = 0; a < axes(); ++a)
      if (index[a] < lo[a] || index[a] >= hi[a]) return false;
    return true;
  }
  /// Replaces its indices along `axis`.
  void set(int axis, Range range) {
    lo[axis] = range.lo;
    hi[axis] = range.hi;
  }
  friend bool operator==(const Box&, const Box&) = default;
};

/// "[0,64)x[32,40)"
std::string to_string(const Box& box);

}  // namespace weft
