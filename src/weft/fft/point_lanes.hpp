// fft/point_lanes: c2c lines of contiguous points, of which adjacent points are in the lanes of a
// vector. Between the steps nothing is shuffled, as in fft/lane_transform; the last step transposes
// what it loads, so that its results are adjacent frequencies.
// Include after all other headers, as fft/butterflies.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lane_access.hpp"
#include "weft/fft/lane_loops.hpp"
#include "weft/fft/lane_transform.hpp"
#include "weft/fft/radices.hpp"
#include "weft/fft/transposition.hpp"

namespace weft::WEFT_LANES {

// A line by vectors of contiguous points, or by the first of as many adjacent frequencies.
template <class Real, bool forward>
struct PointVectors {
  static constexpr std::size_t lanes = vector_bytes / sizeof(Real);
  Real* line;

  WEFT_INLINE Values<Real> get(std::int64_t vector) const {
    Numbers<Real> numbers;
    const Real* const from = line + 2 * static_cast<std::int64_t>(lanes) * vector;
    std::memcpy(&numbers.low, from, vector_bytes);
    std::memcpy(&numbers.high, from + lanes, vector_bytes);
    return parts_of<forward>(numbers);
  }
  WEFT_INLINE void put(std::int64_t first, Values<Real> values) const {
    const auto numbers = numbers_of<forward>(values);
    Real* const to = line + 2 * first;
    std::memcpy(to, &numbers.low, vector_bytes);
    std::memcpy(to + lanes, &numbers.high, vector_bytes);
  }
  // The place among adjacent points of the one in lane `i`.
  static constexpr std::size_t place(std::size_t i) {
    return static_cast<std::size_t>(Order<Real>::part(static_cast<int>(i), 0)) / 2;
  }
};

// Some lines, which begin `stride` reals apart.
template <class Real, bool forward>
struct PointLines {
  PointVectors<Real, forward> first;
  std::int64_t stride, count;
};

// The first step of some lines, one after the other.
template <int radix, class Real, bool forward, class Factor>
__attribute__((noinline)) void run_first_of_points(const RadixStep<Factor>& step,
                                                   PointLines<Real, forward> in,
                                                   Intermediate<Real> out, PrefetchQueue& queue) {
  for (std::int64_t i = 0; i < in.count; ++i) {
    first_step<radix>(step, in.first, out, queue);
    in.first.line += in.stride;
    out.data += out.lines * out.pitch;
  }
}

// The last one. A butterfly takes one block of as many lines of Intermediate as there are lanes,
// whose frequencies are adjacent.
template <int radix, class Real, bool forward, class Factor>
__attribute__((noinline)) void run_last_of_points(const RadixStep<Factor>& step,
                                                  Frequencies frequencies, Intermediate<Real> in,
                                                  PointLines<Real, forward> out,
                                                  PrefetchQueue& queue) {
  using Points = PointVectors<Real, forward>;
  using Square = Transposition<sizeof(Real)>;
  using Vector = typename VectorOf<Real>::type;
  constexpr std::size_t lanes = Points::lanes;
  for (std::int64_t i = 0; i < out.count; ++i) {
    for (std::int64_t line = 0; line < in.lines; line += lanes)
      for (std::int64_t b = 0; b < step.blocks; ++b) {
        queue.prefetch(step.prefetches);
        std::array<Values<Real>, radix> x;
        const Values<Real>* const at = in.data + line * in.pitch + b * (radix / lanes);
#pragma GCC unroll 4
        for (std::size_t j = 0; j < radix / lanes; ++j) {
          typename Square::Rows re, im;
#pragma GCC unroll 16
          for (std::size_t row = 0; row < lanes; ++row) {
            const Values<Real>& values =
                at[in.pitch * static_cast<std::int64_t>(Points::place(row)) +
                   static_cast<std::int64_t>(j)];
            re[row] = reinterpret_cast<typename Square::Doubles>(values.re);
            im[row] = reinterpret_cast<typename Square::Doubles>(values.im);
          }
          Square::run(re);
          Square::run(im);
#pragma GCC unroll 16
          for (std::size_t row = 0; row < lanes; ++row)
            x[j * lanes + Points::place(row)] = {reinterpret_cast<Vector>(re[row]),
                                                 reinterpret_cast<Vector>(im[row])};
        }
        Butterfly<radix, Real>::run(x);
        const std::int64_t first = frequencies.first[b] + line;
#pragma GCC unroll 16
        for (int k = 0; k < radix; ++k)
          out.first.put(first + frequencies.spacing * k, x[static_cast<std::size_t>(k)]);
      }
    in.data += in.lines * in.pitch;
    out.first.line += out.stride;
  }
}

/// Transforms of `n` points, forward or inverse, for which there are point_radices.
template <class Real, bool forward>
class PointTransform {
 public:
  explicit PointTransform(std::int64_t n) : PointTransform(n, point_radices(n, lanes)) {}

  /// As many lines as may be transformed at once.
  std::int64_t lines_at_once() const { return lines_at_once_; }
  /// Reads all points of `in` before it writes the first of `out`.
  void run(PointLines<Real, forward> in, PointLines<Real, forward> out,
           PrefetchQueue& queue) const {
    Intermediate<Real> data{memory_.get(), lines_, pitch_};
    with_end_radix(steps_.front().radix, [&](auto radix) {
      run_first_of_points<radix()>(steps_.front(), in, data, queue);
    });
    data.lines *= in.count;
    for (std::size_t s = 1; s + 1 < steps_.size(); ++s)
      with_radix(steps_[s].radix, [&](auto radix) { run_middle<radix()>(steps_[s], data, queue); });
    data.lines = lines_;
    with_end_radix(steps_.back().radix, [&](auto radix) {
      run_last_of_points<radix()>(steps_.back(), {order_.data(), spacing_}, data, out, queue);
    });
  }

 private:
  using Vector = typename VectorOf<Real>::type;
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);

  PointTransform(std::int64_t n, const std::vector<int>& all)
      : lines_(all.front()),
        pitch_((n / all.front() / lanes) | 1),
        lines_at_once_(lines_for(n)),
        memory_(lines_at_once_ * lines_ * pitch_),
        factors_(factor_count(n, all)),
        spacing_(n / all.back()) {
    Vector* factors = factors_.get();
    std::int64_t blocks = 1;
    order_ = {0};
    for (std::size_t s = 0; s < all.size(); ++s) {
      const int radix = all[s];
      const std::int64_t length = n / blocks;
      const bool is_last = s + 1 == all.size();
      steps_.push_back({radix, std::max<std::int64_t>(1, blocks / all.front()),
                        length / radix / lanes, prefetches_of(radix, all.size()), factors});
      if (is_last) break;
      for (std::int64_t p = 0; p < length / radix; p += lanes)
        for (int k = 1; k < radix; ++k, factors += 2) set_factors(factors, p, k, length);
      if (s > 0) extend_order(blocks, radix);
      blocks *= radix;
    }
  }

  // A choice: the intermediate data of lines that are transformed at once fit a third of a level-1
  // cache of 48 KiB.
  static std::int64_t lines_for(std::int64_t n) {
    constexpr std::int64_t bytes = 16 << 10;
    return std::max<std::int64_t>(1, bytes / (n * 2 * static_cast<std::int64_t>(sizeof(Real))));
  }
  static std::int64_t factor_count(std::int64_t n, const std::vector<int>& all) {
    std::int64_t count = 0, length = n;
    for (std::size_t s = 0; s + 1 < all.size(); ++s) {
      count += 2 * (all[s] - 1) * (length / all[s] / lanes);
      length /= all[s];
    }
    return count;
  }
  // Those of points p to p + lanes - 1, for frequency k.
  static void set_factors(Vector* to, std::int64_t p, int k, std::int64_t length) {
    for (std::int64_t i = 0; i < lanes; ++i) {
      const auto point = p + static_cast<std::int64_t>(
                                 PointVectors<Real, forward>::place(static_cast<std::size_t>(i)));
      const long double angle = -2 * std::numbers::pi_v<long double> *
                                static_cast<long double>(point * k % length) /
                                static_cast<long double>(length);
      to[0][i] = static_cast<Real>(std::cos(angle));
      to[1][i] = static_cast<Real>(std::sin(angle));
    }
  }
  // The first frequencies of the blocks after a step, without what the line of Intermediate adds.
  void extend_order(std::int64_t blocks, int radix) {
    std::vector<std::int32_t> longer;
    for (const std::int32_t first : order_)
      for (int k = 0; k < radix; ++k)
        longer.push_back(first + static_cast<std::int32_t>(k * blocks));
    order_ = std::move(longer);
  }
  // Calls run(std::integral_constant) for the entry of `end_radices` that equals `radix`.
  template <class Run>
  static void with_end_radix(int radix, const Run& run) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (void)(([&] {
               constexpr int points = end_radices[i];
               if constexpr (points % lanes == 0) {
                 if (radix == points) run(std::integral_constant<int, points>());
                 return radix == points;
               }
               return false;
             }()) ||
             ...);
    }
    (std::make_index_sequence<end_radices.size()>());
  }

  std::int64_t lines_, pitch_, lines_at_once_;
  LaneBuffer<Values<Real>> memory_;
  LaneBuffer<Vector> factors_;
  std::vector<RadixStep<Vector>> steps_;
  std::vector<std::int32_t> order_;
  std::int64_t spacing_;
};

/// Contiguous c2c lines.
template <class Real, bool forward>
class PointKernel : public Kernel {
 public:
  explicit PointKernel(const Lines& lines) : loops_(lines.loops), transform_(lines.n) {
    if (loops_.empty()) loops_.push_back({1, 1, 1});
    inner_ = loops_.back();
    loops_.pop_back();
  }

  void run(void* in, void* out, PrefetchQueue& queue) override {
    for_each_turn(loops_, 2, static_cast<Real*>(in), static_cast<Real*>(out),
                  [&](Real* from, Real* to) { run_inner(from, to, queue); });
  }

 private:
  void run_inner(Real* in, Real* out, PrefetchQueue& queue) const {
    const std::int64_t in_stride = 2 * inner_.in_stride, out_stride = 2 * inner_.out_stride;
    for (std::int64_t i = 0; i < inner_.count; i += transform_.lines_at_once()) {
      const std::int64_t count = std::min(transform_.lines_at_once(), inner_.count - i);
      transform_.run({{in + i * in_stride}, in_stride, count},
                     {{out + i * out_stride}, out_stride, count}, queue);
    }
  }

  std::vector<Lines::Loop> loops_;
  Lines::Loop inner_{};
  PointTransform<Real, forward> transform_;
};

template <class Real>
std::unique_ptr<Kernel> make_points_of(const Lines& lines) {
  if (lines.sign < 0) return std::make_unique<PointKernel<Real, true>>(lines);
  return std::make_unique<PointKernel<Real, false>>(lines);
}

}  // namespace weft::WEFT_LANES
