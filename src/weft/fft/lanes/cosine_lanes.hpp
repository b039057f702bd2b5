// fft/lanes/cosine_lanes: sines and cosines of types II and III of an even number of real points,
// one line in each lane of a vector. A line of n points, the even ones in order and then the odd
// ones in reverse, is taken as n/2 complex numbers, transformed, and put together (J. Makhoul, IEEE
// Trans. ASSP 28, 27 (1980)). Type III is the same the other way round; sines are cosines with
// other signs and the other order. Keeps: no line depends on another, so results do not depend on
// which lines go together. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/end_factors.hpp"
#include "weft/fft/lanes/lane_loops.hpp"
#include "weft/fft/lanes/lane_rows.hpp"
#include "weft/fft/lanes/lane_transform.hpp"
#include "weft/fft/lanes/real_ends.hpp"

namespace weft::WEFT_LANES {

// The points of a line in the order in which pairs of them are complex numbers. For sines, the odd
// points have the other sign.
template <class Real, class Rows>
struct PairedPoints {
  using Vector = typename VectorOf<Real>::type;
  const Rows& rows;
  std::int64_t n;
  bool is_sine;

  WEFT_INLINE std::int64_t place(std::int64_t j) const {
    return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1;
  }
  WEFT_INLINE bool is_negated(std::int64_t j) const { return is_sine && 2 * j >= n; }
  WEFT_INLINE Vector point(std::int64_t j) const {
    const Vector value = rows.get(place(j));
    return is_negated(j) ? -value : value;
  }
  WEFT_INLINE Values<Real> get(std::int64_t pair) const {
    return {point(2 * pair), point(2 * pair + 1)};
  }
  // Stores a pair of a transform that has swapped real and imaginary parts, to run the other way.
  WEFT_INLINE void put(std::int64_t pair, Values<Real> values) const {
    const std::int64_t j = 2 * pair;
    rows.put(place(j), is_negated(j) ? -values.im : values.im);
    rows.put(place(j + 1), is_negated(j + 1) ? -values.re : values.re);
  }
};

template <class Real>
class CosineKernel : public KernelOfLanes {
 public:
  /// `across` is the loop whose lines are distributed over the lanes; null for a single line.
  CosineKernel(const Lines& lines, const Lines::Loop* across)
      : KernelOfLanes(lines, across),
        n_(lines.n),
        kind_(lines.real.kind),
        transform_(lines.n / 2),
        memory_(lines.n / 2),
        quarter_turns_(turns_of<Real>(n_ / 2 + 1, 4 * n_)),
        turns_(turns_of<Real>(n_ / 2 + 1, n_)) {}

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  using Vector = typename VectorOf<Real>::type;

  // Reads all points of `lanes` lines before it writes the first, so that it also works in place.
  void run_across(void* in, void* out, PrefetchQueue& queue) override {
    const Lines::Loop &points = layout().points, &across = layout().across;
    for (std::int64_t i = 0; i < across.count; i += lanes) {
      const std::int64_t count = std::min(lanes, across.count - i);
      with_rows(static_cast<Real*>(in) + i * across.in_stride, points.in_stride, across.in_stride,
                count, [&](const auto& rows) { load(rows, queue); });
      transform_.middle(queue);
      with_rows(static_cast<Real*>(out) + i * across.out_stride, points.out_stride,
                across.out_stride, count, [&](const auto& rows) { store(rows, queue); });
    }
  }

  // Radix steps load and store what is adjacent in memory; the rest goes through the buffer, so
  // that there are fewer steps to compile.
  template <class Rows>
  void load(const Rows& rows, PrefetchQueue& queue) {
    if (kind_ == Basis::dct2 || kind_ == Basis::dst2) {
      const auto points = paired(rows);
      if constexpr (Rows::is_fast) return transform_.first(points, queue);
      for (std::int64_t pair = 0; pair < n_ / 2; ++pair) memory_.get()[pair] = points.get(pair);
    } else {
      for_each_pair([&](Values<Real>& pair, std::int64_t k, std::int64_t other) {
        pair = {rows.get(k), rows.get(other)};
      });
      take_apart();
    }
    transform_.first(Buffered<Real>{memory_.get()}, queue);
  }

  template <class Rows>
  void store(const Rows& rows, PrefetchQueue& queue) {
    const bool are_points = kind_ == Basis::dct3 || kind_ == Basis::dst3;
    const auto points = paired(rows);
    if constexpr (Rows::is_fast)
      if (are_points) return transform_.last(points, queue);
    transform_.last(Buffered<Real>{memory_.get()}, queue);
    if (are_points) {
      for (std::int64_t pair = 0; pair < n_ / 2; ++pair) points.put(pair, memory_.get()[pair]);
      return;
    }
    put_together();
    for_each_pair([&](Values<Real>& pair, std::int64_t k, std::int64_t other) {
      rows.put(k, pair.re);
      rows.put(other, pair.im);
    });
  }

  bool is_sine() const { return kind_ == Basis::dst2 || kind_ == Basis::dst3; }
  template <class Rows>
  PairedPoints<Real, Rows> paired(const Rows& rows) const {
    return {rows, n_, is_sine()};
  }

  // The buffer holds the coefficients k and n-k side by side, and first 0 and n/2. Those of sines
  // are in reverse in memory.
  template <class Visit>
  WEFT_INLINE void for_each_pair(const Visit& visit) const {
    const auto place = [&](std::int64_t k) { return is_sine() ? n_ - 1 - k : k; };
    Values<Real>* const pairs = memory_.get();
    visit(pairs[0], place(0), place(n_ / 2));
    for (std::int64_t k = 1; k < n_ / 2; ++k) visit(pairs[k], place(k), place(n_ - k));
  }

  // From the transform Z of the pairs of points to pairs of coefficients: of the even and the odd
  // points of a line the spectra are E = Z_k + conj Z_(h-k) and O = -i (Z_k - conj Z_(h-k)),
  // halved, with h = n/2; that of all is V = E + exp(-2 pi i k / n) O. Then 2 V exp(-i pi k / 2n)
  // is X_k - i X_(n-k).
  __attribute__((noinline)) void put_together() const {
    Values<Real>* const z = memory_.get();
    const std::int64_t h = n_ / 2;
    constexpr auto root = static_cast<Real>(std::numbers::sqrt2);
    const Vector sum = z[0].re + z[0].im, difference = z[0].re - z[0].im;
    z[0] = {sum + sum, root * difference};
    for (std::int64_t k = 1; 2 * k <= h; ++k) {
      const Values<Real> a = z[k], b = z[h - k];
      const Values<Real> even{a.re + b.re, a.im - b.im}, odd{a.im + b.im, b.re - a.re};
      const Values<Real> turned = times(odd, turns_[at(k)].re, turns_[at(k)].im);
      const Values<Real> low = even + turned, high = even - turned;
      z[h - k] = turned_back({high.re, -high.im}, h - k);
      z[k] = turned_back(low, k);
    }
  }
  WEFT_INLINE Values<Real> turned_back(Values<Real> spectrum, std::int64_t k) const {
    const Turn<Real> factor = quarter_turns_[at(k)];
    const Values<Real> turned = times(spectrum, factor.re, factor.im);
    return {turned.re, -turned.im};
  }

  // From pairs of coefficients to the Z of which the inverse transform is the pairs of points. Real
  // and imaginary parts are swapped, so that the forward transform that follows is the inverse one.
  __attribute__((noinline)) void take_apart() const {
    Values<Real>* const z = memory_.get();
    const std::int64_t h = n_ / 2;
    constexpr auto root = static_cast<Real>(std::numbers::sqrt2);
    const Vector first = z[0].re, middle = root * z[0].im;
    z[0] = {first - middle, first + middle};
    for (std::int64_t k = 1; 2 * k <= h; ++k) {
      const Values<Real> a = turned_forth(z[k], k), b = turned_forth(z[h - k], h - k);
      const Values<Real> sum{a.re + b.re, a.im - b.im};
      const Values<Real> difference{a.re - b.re, a.im + b.im};
      const Values<Real> turned = times(difference, turns_[at(k)].re, -turns_[at(k)].im);
      z[k] = {sum.im + turned.re, sum.re - turned.im};
      z[h - k] = {turned.re - sum.im, sum.re + turned.im};
    }
  }
  WEFT_INLINE Values<Real> turned_forth(Values<Real> pair, std::int64_t k) const {
    const Turn<Real> factor = quarter_turns_[at(k)];
    return times(Values<Real>{pair.re, -pair.im}, factor.re, -factor.im);
  }

  static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

  std::int64_t n_;
  Basis kind_;
  LaneTransform<Real> transform_;
  LaneBuffer<Values<Real>> memory_;                // n/2 complex numbers of each line
  std::vector<Turn<Real>> quarter_turns_, turns_;  // exp(-i pi k / 2n) and exp(-2 pi i k / n)
};

}  // namespace weft::WEFT_LANES
