// fft/lanes/point_real_lanes: contiguous r2c and c2r lines of an even number of points, one after
// the other. The pairs of points are transformed as by fft/lanes/point_lanes, and the spectrum is
// put together from that, or taken apart, with adjacent frequencies in the lanes of a vector.
// Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lane_loops.hpp"
#include "weft/fft/lanes/point_lanes.hpp"

namespace weft::WEFT_LANES {

// With the lanes in the opposite order, in which adjacent points are in the opposite order, too.
template <class Vector, std::size_t... i>
WEFT_INLINE Vector reversed(Vector values, std::index_sequence<i...>) {
  return __builtin_shufflevector(values, values, (sizeof...(i) - 1 - i)...);
}
template <class Real>
WEFT_INLINE Values<Real> reversed(Values<Real> values) {
  using Each = std::make_index_sequence<PointVectors<Real>::lanes>;
  return {reversed(values.re, Each()), reversed(values.im, Each())};
}

/// r2c and c2r lines.
template <class Real>
class PointRealKernel : public KernelOfLanes {
 public:
  explicit PointRealKernel(const Lines& lines)
      : KernelOfLanes(lines, lines.loops.empty() ? nullptr : &lines.loops.back()),
        half_(lines.n / 2),
        is_forward_(lines.kind == LineKind::r2c),
        transform_(half_, is_forward_),
        turns_(blocks()),
        numbers_(static_cast<std::size_t>(transform_.lines_at_once() * number_stride())) {
    for (std::int64_t block = 0; block < blocks(); ++block) set_turns(block);
  }

 private:
  using Points = PointVectors<Real>;
  static constexpr auto lanes = static_cast<std::int64_t>(Points::lanes);

  // Vectors of frequencies k from 0 to n/4, each with one of frequencies n/2 - k.
  std::int64_t blocks() const { return half_ / 2 / lanes + 1; }
  // In reals, of the lines of `numbers_`, which have room for frequency n/2, too.
  std::int64_t number_stride() const { return 2 * (half_ + lanes); }

  // exp(-2 pi i k / n), to r2c halved.
  void set_turns(std::int64_t block) {
    const long double length = is_forward_ ? 0.5L : 1;
    for (std::int64_t i = 0; i < lanes; ++i) {
      const auto place = Points::place(static_cast<std::size_t>(i));
      const long double angle =
          -std::numbers::pi_v<long double> *
          static_cast<long double>(block * lanes + static_cast<std::int64_t>(place)) /
          static_cast<long double>(half_);
      turns_.get()[block].re[i] = static_cast<Real>(length * std::cos(angle));
      turns_.get()[block].im[i] = static_cast<Real>(length * std::sin(angle));
    }
  }

  void run_across(void* in, void* out, PrefetchQueue& queue) override {
    const auto& [all, in_stride, out_stride] = layout().across;
    const std::int64_t most = transform_.lines_at_once();
    for (std::int64_t i = 0; i < all; i += most) {
      const std::int64_t count = std::min(most, all - i);
      run_some({{static_cast<Real*>(in) + i * in_stride}, in_stride, count},
               {{static_cast<Real*>(out) + i * out_stride}, out_stride, count}, queue);
    }
  }

  void run_some(PointLines<Real> in, PointLines<Real> out, PrefetchQueue& queue) {
    const PointLines<Real> numbers{{numbers_.data()}, number_stride(), in.count};
    if (is_forward_) {
      transform_.run(in, numbers, queue);
      put_together(numbers, out);
    } else {
      take_apart(in, numbers);
      transform_.run(numbers, out, queue);
    }
  }

  // From the transform Z of the pairs of points, as in fft/lanes/real_lanes: with h = n/2, a = Z_k
  // and b = Z_(h-k) become what the spectrum has at k and h-k.
  __attribute__((noinline)) void put_together(PointLines<Real> in, PointLines<Real> out) const {
    for (std::int64_t line = 0; line < in.count; ++line) {
      Real* const z = in.line.data + line * in.stride;
      z[2 * half_] = z[0];
      z[2 * half_ + 1] = z[1];
      const Points from{z}, to{out.line.data + line * out.stride};
      for (std::int64_t block = 0; block < blocks(); ++block) {
        const std::int64_t k = block * lanes, other = half_ - k - lanes + 1;
        const Values<Real> turn = turns_.get()[block], a = from.get(k),
                           b = reversed(from.get(other));
        const Values<Real> even{a.re + b.re, a.im - b.im}, odd{a.im + b.im, b.re - a.re};
        const Values<Real> turned = times(odd, turn.re, turn.im);
        const auto half = in_all_lanes<Real>(Real(0.5));
        to.put(other, reversed(Values<Real>{fmsub(half, even.re, turned.re),
                                            fnmadd(half, even.im, turned.im)}));
        to.put(k, plus(turned, Real(0.5), even));
      }
    }
  }

  // From the spectrum to twice the Z of which the inverse transform is the pairs of points. The
  // first and the last number of the spectrum have no imaginary part.
  __attribute__((noinline)) void take_apart(PointLines<Real> in, PointLines<Real> out) const {
    for (std::int64_t line = 0; line < in.count; ++line) {
      const Points from{in.line.data + line * in.stride};
      Real* const z = out.line.data + line * out.stride;
      const Points to{z};
      for (std::int64_t block = 0; block < blocks(); ++block) {
        const std::int64_t k = block * lanes, other = half_ - k - lanes + 1;
        const Values<Real> turn = turns_.get()[block], a = from.get(k),
                           b = reversed(from.get(other));
        const Values<Real> sum{a.re + b.re, a.im - b.im}, difference{a.re - b.re, a.im + b.im};
        const Values<Real> turned = times(difference, turn.re, -turn.im);
        to.put(other, reversed(Values<Real>{sum.re + turned.im, turned.re - sum.im}));
        to.put(k, {sum.re - turned.im, sum.im + turned.re});
      }
      const Real first = from.data[0], last = from.data[2 * half_];
      z[0] = first + last;
      z[1] = first - last;
    }
  }

  std::int64_t half_;
  bool is_forward_;
  PointTransform<Real> transform_;
  LaneBuffer<Values<Real>> turns_;  // of each block
  std::vector<Real> numbers_;       // the complex numbers of lines that are transformed at once
};

}  // namespace weft::WEFT_LANES
