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
  LanesKernel(const Lines& lines, std::size_t across)
      : across_(lines.loops[across]),
        in_stride_(lines.in_stride),
        out_stride_(lines.out_stride),
        loops_(lines.loops),
        transform_(lines.n, lines.sign < 0) {
    loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(across));
    if (lines.factor != 1) transform_.scale(lines.factor);
    if (lines.kept) {
      stored_in_ = stored_points(lines.kept->in, lines.n);
      stored_out_ = stored_points(lines.kept->out, lines.n);
    }
  }

  void run(void* in, void* out, PrefetchQueue& queue) override {
    for_each_turn(loops_, 2, static_cast<Real*>(in), static_cast<Real*>(out),
                  [&](Real* from, Real* to) { run_across(from, to, queue); });
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);

  // None for lines that are stored as a whole.
  static std::vector<std::int32_t> stored_points(const KeptPoints& kept, std::int64_t n) {
    if (kept.count == n) return {};
    std::vector<std::int32_t> stored(static_cast<std::size_t>(n), -1);
    for (std::int64_t i = 0; i < kept.count; ++i)
      stored[static_cast<std::size_t>(kept.position(i, n))] = static_cast<std::int32_t>(i);
    return stored;
  }

  // Reads all points of `lanes` lines before it writes the first, so that it also works in place.
  void run_across(Real* in, Real* out, PrefetchQueue& queue) {
    for (std::int64_t i = 0; i < across_.count; i += lanes) {
      const std::int64_t count = std::min(lanes, across_.count - i);
      with_access(in + 2 * i * across_.in_stride, in_stride_, stored_in_, across_.in_stride, count,
                  [&](const auto& access) { transform_.first(access, queue); });
      transform_.middle(queue);
      with_access(out + 2 * i * across_.out_stride, out_stride_, stored_out_, across_.out_stride,
                  count, [&](const auto& access) { transform_.last(access, queue); });
    }
  }

  // Calls run(access), where `access` suits the layout of `count` of the caller's lines.
  template <class Run>
  static void with_access(Real* first, std::int64_t point_stride,
                          const std::vector<std::int32_t>& stored, std::int64_t line_stride,
                          std::int64_t count, const Run& run) {
    const StoredPoints points = stored.empty() ? nullptr : stored.data();
    if (line_stride == 1 && count == lanes && points == nullptr)
      run(ContiguousLanes<Real, true>(first, 2 * point_stride, points, count));
    else if (line_stride == 1)
      run(ContiguousLanes<Real, false>(first, 2 * point_stride, points, count));
    else
      run(StridedLanes<Real>(first, 2 * point_stride, points, 2 * line_stride, count));
  }

  Lines::Loop across_;
  std::int64_t in_stride_, out_stride_;
  std::vector<Lines::Loop> loops_;
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
  return std::make_unique<LanesKernel<Real>>(lines,
                                             static_cast<std::size_t>(across - lines.loops.data()));
}

/// A kernel for c2c or r2r lines, or with vectors of more than 128 bits for lines of any kind;
/// those of the loop `across`, of `lines`, are distributed over the lanes.
inline std::unique_ptr<Kernel> make_lanes(const Lines& lines, const Lines::Loop* across) {
  return lines.precision == Precision::single_precision ? make_lanes_of<float>(lines, across)
                                                        : make_lanes_of<double>(lines, across);
}

}  // namespace weft::WEFT_LANES
