// grid/box_algebra: what the boxes of weft/box have in common.
#pragma once

#include <algorithm>

#include "weft/base/dims_text.hpp"
#include "weft/box.hpp"

namespace weft {

/// The points that lie in both; empty if there are none.
inline Box intersect(const Box& a, const Box& b) {
  Box both = a;
  for (int i = 0; i < a.axes(); ++i) {
    both.lo[i] = std::max(a.lo[i], b.lo[i]);
    both.hi[i] = std::max(both.lo[i], std::min(a.hi[i], b.hi[i]));
  }
  return both;
}

/// The box with its corners moved by as many points.
inline Box moved(Box box, const Dims& by) {
  for (int a = 0; a < box.axes(); ++a) {
    box.lo[a] += by[a];
    box.hi[a] += by[a];
  }
  return box;
}

}  // namespace weft
