// grid/box: half-open index ranges and regions of the global grid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "weft/base/dims.hpp"

namespace weft {

/// Half-open range [lo, hi) of indices along one axis.
struct Range {
  std::int64_t lo = 0, hi = 0;

  std::int64_t size() const { return hi - lo; }
  bool empty() const { return hi <= lo; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Half-open region [lo, hi) of the global grid.
struct Box {
  Dims lo, hi;

  /// The region that covers a whole grid.
  static Box whole(const Extents& extents) { return {Dims::filled(extents.size(), 0), extents}; }

  int axes() const { return lo.size(); }
  Range range(int axis) const { return {lo[axis], hi[axis]}; }
  std::int64_t extent(int axis) const { return hi[axis] - lo[axis]; }
  Dims extents() const {
    Dims dims;
    for (int a = 0; a < axes(); ++a) dims.push_back(std::max<std::int64_t>(0, extent(a)));
    return dims;
  }
  std::int64_t volume() const { return weft::volume(extents()); }
  bool empty() const {
    for (int a = 0; a < axes(); ++a)
      if (hi[a] <= lo[a]) return true;
    return false;
  }
  bool contains(const Dims& index) const {
    for (int a = 0; a < axes(); ++a)
      if (index[a] < lo[a] || index[a] >= hi[a]) return false;
    return true;
  }
  void set(int axis, Range range) {
    lo[axis] = range.lo;
    hi[axis] = range.hi;
  }
  friend bool operator==(const Box&, const Box&) = default;
};

/// The points that lie in both; empty if there are none.
inline Box intersect(const Box& a, const Box& b) {
  Box both = a;
  for (int i = 0; i < a.axes(); ++i) {
    both.lo[i] = std::max(a.lo[i], b.lo[i]);
    both.hi[i] = std::max(both.lo[i], std::min(a.hi[i], b.hi[i]));
  }
  return both;
}

/// "[0,64)x[32,40)"
inline std::string to_string(const Box& box) {
  std::string text;
  for (int a = 0; a < box.axes(); ++a) {
    if (a > 0) text += 'x';
    text += '[' + std::to_string(box.lo[a]) + ',' + std::to_string(box.hi[a]) + ')';
  }
  return text;
}

}  // namespace weft
