// fft/lanes_kernel: kernels that transform as many lines at a time as a vector has lanes.
// Include after all other headers, as fft/butterflies. Keeps: intermediate data stay in one buffer.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <numbers>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lane_access.hpp"
#include "weft/fft/radix_steps.hpp"

namespace weft::WEFT_LANES {

template <class Real>
class LanesKernel : public Kernel {
 public:
  /// `across` is the loop whose lines are distributed over the lanes.
  LanesKernel(const Lines& lines, std::size_t across)
      : across_(lines.loops[across]),
        in_stride_(lines.in_stride),
        out_stride_(lines.out_stride),
        is_forward_(lines.sign < 0),
        loops_(lines.loops) {
    loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(across));
    if (lines.kept) {
      stored_in_ = stored_points(lines.kept->in, lines.n);
      stored_out_ = stored_points(lines.kept->out, lines.n);
    }
    const std::vector<int> all = radices_of(lines.n);
    std::vector<std::size_t> begins;
    std::int64_t blocks = 1;
    for (const int radix : all) {
      const std::int64_t length = lines.n / blocks, groups = length / radix;
      begins.push_back(factors_.size());
      for (std::int64_t p = 0; p < groups; ++p)
        for (int k = 1; k < radix; ++k) {
          const long double angle = -2 * std::numbers::pi_v<long double> *
                                    static_cast<long double>(p * k % length) /
                                    static_cast<long double>(length);
          factors_.push_back(static_cast<Real>(std::cos(angle)));
          factors_.push_back(static_cast<Real>(std::sin(angle)));
        }
      steps_.push_back(
          {radix, blocks / all.front(), groups, prefetches_of(radix, all.size()), nullptr});
      blocks *= radix;
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].factors = factors_.data() + begins[i];
    order_blocks();
    // An odd pitch, so that the points of a butterfly are not in the same cache set.
    intermediate_ = {nullptr, all.front(), steps_.front().groups | 1};
    memory_.reset(static_cast<Values<Real>*>(::operator new (
        static_cast<std::size_t>(intermediate_.lines * intermediate_.pitch) * sizeof(Values<Real>),
        std::align_val_t{64})));
    intermediate_.data = memory_.get();
  }

  void run(void* in, void* out, PrefetchQueue& queue) override {
    run_loops(0, static_cast<Real*>(in), static_cast<Real*>(out), queue);
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  struct Delete {
    void operator()(Values<Real>* memory) const {
      ::operator delete (memory, std::align_val_t{64});
    }
  };

  // All steps together prefetch as many cache lines as they transform; a point of a butterfly is
  // two vectors.
  static std::int64_t prefetches_of(int radix, std::size_t steps) {
    constexpr std::int64_t line_bytes = 64;
    const std::int64_t all = static_cast<std::int64_t>(steps) * line_bytes;
    return (2 * vector_bytes * radix + all - 1) / all;
  }

  // Computes the first frequency of every block of the last step. The earlier a step, the lower is
  // its digit of the frequency.
  void order_blocks() {
    order_ = {0};
    std::int64_t below = 1;
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
      std::vector<std::int32_t> longer;
      for (const std::int32_t first : order_)
        for (int k = 0; k < steps_[i].radix; ++k)
          longer.push_back(first + static_cast<std::int32_t>(k * below));
      below *= steps_[i].radix;
      order_ = std::move(longer);
    }
  }

  // None for lines that are stored as a whole.
  static std::vector<std::int32_t> stored_points(const KeptPoints& kept, std::int64_t n) {
    if (kept.count == n) return {};
    std::vector<std::int32_t> stored(static_cast<std::size_t>(n), -1);
    for (std::int64_t i = 0; i < kept.count; ++i)
      stored[static_cast<std::size_t>(kept.position(i, n))] = static_cast<std::int32_t>(i);
    return stored;
  }

  void run_loops(std::size_t level, Real* in, Real* out, PrefetchQueue& queue) {
    if (level == loops_.size()) {
      if (is_forward_)
        run_across<true>(in, out, queue);
      else
        run_across<false>(in, out, queue);
      return;
    }
    const auto& loop = loops_[level];
    for (std::int64_t i = 0; i < loop.count; ++i)
      run_loops(level + 1, in + 2 * i * loop.in_stride, out + 2 * i * loop.out_stride, queue);
  }

  // Reads all points of `lanes` lines before it writes the first, so that it also works in place.
  template <bool forward>
  void run_across(Real* in, Real* out, PrefetchQueue& queue) {
    for (std::int64_t i = 0; i < across_.count; i += lanes) {
      const std::int64_t count = std::min(lanes, across_.count - i);
      with_access<forward>(in + 2 * i * across_.in_stride, in_stride_, stored_in_,
                           across_.in_stride, count, [&](auto access) {
                             with_radix(steps_.front().radix, [&](auto radix) {
                               run_first<radix()>(steps_.front(), access, intermediate_, queue);
                             });
                           });
      for (std::size_t s = 1; s + 1 < steps_.size(); ++s)
        with_radix(steps_[s].radix,
                   [&](auto radix) { run_middle<radix()>(steps_[s], intermediate_, queue); });
      with_access<forward>(out + 2 * i * across_.out_stride, out_stride_, stored_out_,
                           across_.out_stride, count, [&](auto access) {
                             with_radix(steps_.back().radix, [&](auto radix) {
                               run_last<radix()>(steps_.back(), order_.data(), intermediate_,
                                                 access, queue);
                             });
                           });
    }
  }

  // Calls run(access), where `access` suits the layout of `count` of the caller's lines.
  template <bool forward, class Run>
  static void with_access(Real* first, std::int64_t point_stride,
                          const std::vector<std::int32_t>& stored, std::int64_t line_stride,
                          std::int64_t count, const Run& run) {
    const StoredPoints points = stored.empty() ? nullptr : stored.data();
    if (line_stride == 1 && count == lanes && points == nullptr)
      run(ContiguousLanes<Real, forward, true>(first, 2 * point_stride, points, count));
    else if (line_stride == 1)
      run(ContiguousLanes<Real, forward, false>(first, 2 * point_stride, points, count));
    else
      run(StridedLanes<Real, forward>(first, 2 * point_stride, points, 2 * line_stride, count));
  }

  Lines::Loop across_;
  std::int64_t in_stride_, out_stride_;
  bool is_forward_;
  std::vector<Lines::Loop> loops_;
  std::vector<std::int32_t> stored_in_, stored_out_;
  std::vector<Real> factors_;
  std::vector<RadixStep<Real>> steps_;
  std::vector<std::int32_t> order_;
  std::unique_ptr<Values<Real>, Delete> memory_;
  Intermediate<Real> intermediate_;
};

/// A kernel for c2c lines; those of the loop `across` are distributed over the lanes.
inline std::unique_ptr<Kernel> make_lanes(const Lines& lines, std::size_t across) {
  if (lines.precision == Precision::single_precision)
    return std::make_unique<LanesKernel<float>>(lines, across);
  return std::make_unique<LanesKernel<double>>(lines, across);
}

}  // namespace weft::WEFT_LANES
