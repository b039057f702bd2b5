// fft/whole_lines: boxes that lie in one piece on both sides, as lines of one transform of a
// library along all of their axes.
// Pure: calls no library.
#pragma once

#include <vector>

#include "weft/dims.hpp"
#include "weft/fft/engine.hpp"

namespace weft {

/// A box that is transformed along `axes`, of which r2c halves `half_axis`, or -1. It has these
/// extents on the real and on the spectral side, and strides in elements of either side.
struct WholeBox {
  std::vector<int> axes;
  int half_axis = -1;
  bool forward = true;
  Precision precision = Precision::double_precision;
  double factor = 1;
  Dims real_extents, spectral_extents;
  Dims source_strides, target_strides;
};

/// The last of the axes, as libraries have it, is that of r2c; else that of which points are
/// adjacent in the target. Loops over all points along the other axes are as few as possible.
Lines whole_lines(const WholeBox& box);

}  // namespace weft
