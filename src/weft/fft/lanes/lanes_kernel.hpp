// fft/lanes/lanes_kernel: kernels that transform as many lines at a time as a vector has lanes.
// Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/any_transform.hpp"
#include "weft/fft/lanes/cosine_lanes.hpp"
#include "weft/fft/lanes/lane_access.hpp"
#include "weft/fft/lanes/lane_loops.hpp"
#include "weft/fft/lanes/odd_real_lanes.hpp"
#include "weft/fft/lanes/real_lanes.hpp"

namespace weft::WEFT_LANES {

/// c2c lines.
template <class Real>
class LanesKernel : public KernelOfLanes {
 public:
  /// `across` is the loop whose lines are distributed over the lanes.
  LanesKernel(const Lines& lines, const Lines::Loop* across)
      : KernelOfLanes(lines, across), transform_(lines.n, lines.sign < 0) {
    if (lines.factor != 1) transform_.scale(lines.factor);
    if (lines.kept) {
      stored_in_ = stored_points(lines.kept->in, lines.n);
      stored_out_ = stored_points(lines.kept->out, lines.n);
    }
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);

  // Reads all points of `lanes` lines before it writes the first, so that it also works in place.
  void run_across(void* in, void* out, PrefetchQueue& queue) override {
    const Lines::Loop &points = layout().points, &across = layout().across;
    for (std::int64_t i = 0; i < across.count; i += lanes) {
      const std::int64_t count = std::min(lanes, across.count - i);
      with_access(static_cast<Real*>(in) + i * across.in_stride, points.in_stride, stored_in_,
                  across.in_stride, count,
                  [&](const auto& access) { transform_.first(access, queue); });
      transform_.middle(queue);
      with_access(static_cast<Real*>(out) + i * across.out_stride, points.out_stride, stored_out_,
                  across.out_stride, count,
                  [&](const auto& access) { transform_.last(access, queue); });
    }
  }

  // Calls run(access), where `access` suits the layout of `count` of the caller's lines.
  template <class Run>
  static void with_access(Real* first, std::int64_t point_stride,
                          const std::vector<std::int32_t>& stored, std::int64_t line_stride,
                          std::int64_t count, const Run& run) {
    const StoredPoints points = stored.empty() ? nullptr : stored.data();
    if (line_stride == 2 && count == lanes && points == nullptr)
      run(ContiguousLanes<Real, true>(first, point_stride, points, count));
    else if (line_stride == 2)
      run(ContiguousLanes<Real, false>(first, point_stride, points, count));
    else
      run(StridedLanes<Real>(first, point_stride, points, line_stride, count));
  }

  std::vector<std::int32_t> stored_in_, stored_out_;
  AnyTransform<Real> transform_;
};

template <class Real>
std::unique_ptr<Kernel> make_lanes_of(const Lines& lines, const Lines::Loop* across) {
  if (lines.kind == LineKind::r2r) return std::make_unique<CosineKernel<Real>>(lines, across);
  // FFTW is faster for real lines than vectors of 128 bits.
  if constexpr (vector_bytes > 16)
    if (lines.kind != LineKind::c2c) {
      if (lines.n % 2 != 0) return std::make_unique<OddRealKernel<Real>>(lines, across);
      return std::make_unique<RealKernel<Real>>(lines, across);
    }
  return std::make_unique<LanesKernel<Real>>(lines, across);
}

/// A kernel for c2c or r2r lines, or with vectors of more than 128 bits for lines of any kind;
/// those of the loop `across`, of `lines`, are distributed over the lanes.
inline std::unique_ptr<Kernel> make_lanes(const Lines& lines, const Lines::Loop* across) {
  return lines.precision == Precision::single_precision ? make_lanes_of<float>(lines, across)
                                                        : make_lanes_of<double>(lines, across);
}

}  // namespace weft::WEFT_LANES
