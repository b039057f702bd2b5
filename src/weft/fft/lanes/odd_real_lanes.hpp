// fft/lanes/odd_real_lanes: real-to-complex and complex-to-real transforms of an odd number of real
// points, one line in each lane of a vector.
// A line is transformed as complex numbers, half of whose spectrum is stored: two lines as one
// complex line would take half of the time, but the last bits of one would depend on the other.
// Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <cstdint>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/any_transform.hpp"
#include "weft/fft/lanes/lane_blocks.hpp"
#include "weft/fft/lanes/lane_transform.hpp"
#include "weft/fft/lanes/real_ends.hpp"
#include "weft/fft/lanes/real_lines.hpp"

namespace weft::WEFT_LANES {

/// r2c and c2r lines of an odd number of points.
template <class Real>
class OddRealKernel : public KernelOfRealLanes<Real> {
 public:
  /// `across` is the loop whose lines are distributed over the lanes; null for a single line.
  OddRealKernel(const Lines& lines, const Lines::Loop* across)
      : KernelOfRealLanes<Real>(lines, across, vector_bytes / sizeof(Real)),
        n_(lines.n),
        is_forward_(lines.kind == LineKind::r2c),
        transform_(lines.n, is_forward_),
        memory_(lines.n) {}

 private:
  using Blocks = LineBlocks<Real>;
  static constexpr typename VectorOf<Real>::type zero{};

  void transform(const PlacedLines<Real>& from, const PlacedLines<Real>& to,
                 PrefetchQueue& of_tile) override {
    PrefetchQueue& queue = is_forward_ ? nothing_ : of_tile;  // as RealKernel
    if (is_forward_)
      load_reals(from);
    else
      load_spectrum(from);
    transform_.first(Buffered<Real>{memory_.get()}, queue);
    transform_.middle(queue);
    transform_.last(Buffered<Real>{memory_.get()}, queue);
    if (is_forward_)
      store_spectrum(to);
    else
      store_reals(to);
  }

  // Two points at a time, and the last one, which has no other: the pairs first lie in the lower
  // half of the buffer.
  void load_reals(const PlacedLines<Real>& lines) const {
    Values<Real>* const z = memory_.get();
    if (lines.point_stride == 1)
      Blocks(lines.first, lines.line_stride, lines.count).load(z, 0, n_ / 2);
    with_pairs(lines, [&](const auto& pairs) {
      if (lines.point_stride != 1)
        for (std::int64_t i = 0; i < n_ / 2; ++i) z[i] = pairs.get(i);
      z[n_ - 1].re = pairs.get_point(n_ - 1);
    });
    z[n_ - 1].im = zero;
    for (std::int64_t i = n_ / 2 - 1; i >= 0; --i) {
      const Values<Real> pair = z[i];
      z[2 * i + 1] = Values<Real>{pair.im, zero};
      z[2 * i] = Values<Real>{pair.re, zero};
    }
  }

  // Pairs are stored with real and imaginary parts swapped.
  void store_reals(const PlacedLines<Real>& lines) const {
    Values<Real>* const z = memory_.get();
    with_pairs(lines, [&](const auto& pairs) { pairs.put_point(n_ - 1, z[n_ - 1].re); });
    for (std::int64_t i = 0; i < n_ / 2; ++i) z[i] = Values<Real>{z[2 * i + 1].re, z[2 * i].re};
    if (lines.point_stride == 1) {
      Blocks(lines.first, lines.line_stride, lines.count).template store<true>(z, 0, n_ / 2);
    } else {
      with_pairs(lines, [&](const auto& pairs) {
        for (std::int64_t i = 0; i < n_ / 2; ++i) pairs.put(i, z[i]);
      });
    }
  }

  void store_spectrum(const PlacedLines<Real>& lines) const {
    const Values<Real>* const z = memory_.get();
    if (lines.point_stride == 2)
      return Blocks(lines.first, lines.line_stride, lines.count).store(z, 0, n_ / 2 + 1);
    with_numbers(lines, [&](const auto& access) {
      for (std::int64_t k = 0; k <= n_ / 2; ++k) access.put(k, z[k]);
    });
  }

  // The first number of the spectrum has no imaginary part.
  void load_spectrum(const PlacedLines<Real>& lines) const {
    Values<Real>* const z = memory_.get();
    if (lines.point_stride == 2)
      Blocks(lines.first, lines.line_stride, lines.count).load(z, 0, n_ / 2 + 1);
    else
      with_numbers(lines, [&](const auto& access) {
        for (std::int64_t k = 0; k <= n_ / 2; ++k) z[k] = access.get(k);
      });
    z[0].im = zero;
    for (std::int64_t k = 1; k <= n_ / 2; ++k) z[n_ - k] = Values<Real>{z[k].re, -z[k].im};
  }

  std::int64_t n_;
  bool is_forward_;
  AnyTransform<Real> transform_;
  LaneBuffer<Values<Real>> memory_;  // n complex numbers of each line
  PrefetchQueue nothing_;
};

}  // namespace weft::WEFT_LANES
