// fft/lanes/point_lanes_kernel: kernels for contiguous lines, with adjacent points in the lanes of
// a vector. Included where these are faster than FFTW: by lanes of 512 bits and by those of AVX2.
// Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <memory>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/point_lanes.hpp"
#include "weft/fft/lanes/point_real_lanes.hpp"

namespace weft::WEFT_LANES {

template <class Real>
std::unique_ptr<Kernel> make_point_lanes_of(const Lines& lines) {
  if (lines.kind == LineKind::c2c) return std::make_unique<PointKernel<Real>>(lines);
  if constexpr (vector_bytes == 64)
    if (lines.kind != LineKind::r2r) return std::make_unique<PointRealKernel<Real>>(lines);
  return nullptr;
}

/// A kernel for contiguous lines, of which adjacent points are in the lanes: c2c ones, and with
/// vectors of 512 bits r2c and c2r ones; else null.
inline std::unique_ptr<Kernel> make_point_lanes(const Lines& lines) {
  return lines.precision == Precision::single_precision ? make_point_lanes_of<float>(lines)
                                                        : make_point_lanes_of<double>(lines);
}

}  // namespace weft::WEFT_LANES
