// fft/lanes/real_lanes: real-to-complex and complex-to-real transforms of an even number of real
// points, one line in each lane of a vector. A line of n points is taken as n/2 complex numbers,
// transformed, and split into the spectra of the even and of the odd points, of which that of the
// line is put together; and the other way round. Keeps: no line depends on another, so results do
// not depend on which lines go together. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/any_transform.hpp"
#include "weft/fft/lanes/lane_blocks.hpp"
#include "weft/fft/lanes/lane_transform.hpp"
#include "weft/fft/lanes/real_ends.hpp"
#include "weft/fft/lanes/real_lines.hpp"

namespace weft::WEFT_LANES {

// Pairs of contiguous points, by blocks.
template <class Real>
struct PairBlocks {
  static constexpr std::int64_t block_size = LineBlocks<Real>::block_size;
  LineBlocks<Real> lines;
  WEFT_INLINE typename LineBlocks<Real>::Block get(std::int64_t pair) const {
    return lines.get(pair);
  }
};

/// r2c and c2r lines of an even number of points.
template <class Real>
class RealKernel : public KernelOfRealLanes<Real> {
 public:
  /// `across` is the loop whose lines are distributed over the lanes; null for a single line.
  RealKernel(const Lines& lines, const Lines::Loop* across)
      : KernelOfRealLanes<Real>(lines, across, vector_bytes / sizeof(Real)),
        half_(lines.n / 2),
        is_forward_(lines.kind == LineKind::r2c),
        transform_(lines.n / 2),
        memory_(lines.n / 2 + 1),
        turns_(turns_of<Real>(half_ / 2 + 1, lines.n, is_forward_ ? 0.5L : 1)) {}

 private:
  using Blocks = LineBlocks<Real>;

  // Lines of r2c come first in a tile, and wait for memory: what follows them in the tile issues
  // the prefetches better (docs/lab, "Real lines in lanes").
  void transform(const PlacedLines<Real>& from, const PlacedLines<Real>& to,
                 PrefetchQueue& of_tile) override {
    PrefetchQueue& queue = is_forward_ ? nothing_ : of_tile;
    if (is_forward_) {
      load_reals(from, queue);
      transform_.middle(queue);
      transform_.last(Buffered<Real>{memory_.get()}, queue);
      store_spectrum(to);
    } else {
      load_spectrum(from);
      transform_.first(Buffered<Real>{memory_.get()}, queue);
      transform_.middle(queue);
      store_reals(to, queue);
    }
  }

  void load_reals(const PlacedLines<Real>& lines, PrefetchQueue& queue) {
    if (lines.point_stride != 1) {
      with_pairs(lines, [&](const auto& pairs) {
        for (std::int64_t i = 0; i < half_; ++i) memory_.get()[i] = pairs.get(i);
      });
    } else {
      const Blocks blocks(lines.first, lines.line_stride, lines.count);
      if (transform_.can_begin_by_blocks(Blocks::block_size))
        return transform_.first_by_blocks(PairBlocks<Real>{blocks}, queue);
      load_pairs(blocks);
    }
    transform_.first(Buffered<Real>{memory_.get()}, queue);
  }
  __attribute__((noinline)) void load_pairs(const Blocks& lines) const {
    lines.load(memory_.get(), 0, half_);
  }

  void store_reals(const PlacedLines<Real>& lines, PrefetchQueue& queue) {
    transform_.last(Buffered<Real>{memory_.get()}, queue);
    if (lines.point_stride == 1)
      store_pairs(Blocks(lines.first, lines.line_stride, lines.count));
    else
      with_pairs(lines, [&](const auto& pairs) {
        for (std::int64_t i = 0; i < half_; ++i) pairs.put(i, memory_.get()[i]);
      });
  }
  __attribute__((noinline)) void store_pairs(const Blocks& lines) const {
    lines.template store<true>(memory_.get(), 0, half_);
  }

  void load_spectrum(const PlacedLines<Real>& lines) {
    if (lines.point_stride == 2)
      return take_apart(Blocks(lines.first, lines.line_stride, lines.count));
    Values<Real>* const z = memory_.get();
    with_numbers(lines, [&](const auto& access) {
      for (std::int64_t k = 0; k <= half_; ++k) z[k] = access.get(k);
    });
    const auto first = z[0].re, last = z[half_].re;
    take_apart_from(1);
    z[0] = {first - last, first + last};
  }

  void store_spectrum(const PlacedLines<Real>& lines) {
    Values<Real>* const z = memory_.get();
    z[half_] = z[0];
    if (lines.point_stride == 2)
      return put_together(Blocks(lines.first, lines.line_stride, lines.count));
    put_together_from(0);
    with_numbers(lines, [&](const auto& access) {
      for (std::int64_t k = 0; k <= half_; ++k) access.put(k, z[k]);
    });
  }

  // From the transform Z of the pairs of points to the spectrum of the line: those of the even and
  // the odd points are E = Z_k + conj Z_(h-k) and O = -i (Z_k - conj Z_(h-k)), halved, with
  // h = n/2; that of all is E + exp(-2 pi i k / n) O. Here of a = Z_k and b = Z_(h-k), with Z_h
  // = Z_0, which become what is at k and h-k.
  WEFT_INLINE void put_together(Values<Real>& a, Values<Real>& b, std::int64_t k) const {
    const Turn<Real> turn = turns_[static_cast<std::size_t>(k)];
    const Values<Real> even{a.re + b.re, a.im - b.im}, odd{a.im + b.im, b.re - a.re};
    const Values<Real> turned = times(odd, turn.re, turn.im);
    a = plus(turned, Real(0.5), even);
    const auto half = in_all_lanes<Real>(Real(0.5));
    b = {fmsub(half, even.re, turned.re), fnmadd(half, even.im, turned.im)};
  }
  // Puts frequencies k to h-k together in the buffer.
  __attribute__((noinline)) void put_together_from(std::int64_t k) const {
    Values<Real>* const z = memory_.get();
    for (; 2 * k <= half_; ++k) {
      Values<Real> a = z[k], b = z[half_ - k];
      put_together(a, b, k);
      z[half_ - k] = b;
      z[k] = a;
    }
  }
  __attribute__((noinline)) void put_together(const Blocks& lines) const {
    constexpr std::int64_t size = Blocks::block_size;
    Values<Real>* const z = memory_.get();
    std::int64_t k = 0;
    for (; k + size - 1 < half_ - k - size + 1; k += size) {
      const std::int64_t other = half_ - k - size + 1;
      typename Blocks::Block low, high;
#pragma GCC unroll 8
      for (std::int64_t i = 0; i < size; ++i) {
        Values<Real> a = z[k + i], b = z[half_ - k - i];
        put_together(a, b, k + i);
        low[static_cast<std::size_t>(i)] = a;
        high[static_cast<std::size_t>(size - 1 - i)] = b;
      }
      lines.put(k, low);
      lines.put(other, high);
    }
    put_together_from(k);
    lines.store(z, k, half_ - k + 1);
  }

  // From the spectrum of the line to twice the Z of which the inverse transform is the pairs of
  // points. Real and imaginary parts are swapped, so that the forward transform that follows is the
  // inverse one. The first and the last number of the spectrum have no imaginary part.
  WEFT_INLINE void take_apart(Values<Real>& a, Values<Real>& b, std::int64_t k) const {
    const Turn<Real> turn = turns_[static_cast<std::size_t>(k)];
    const Values<Real> sum{a.re + b.re, a.im - b.im}, difference{a.re - b.re, a.im + b.im};
    const Values<Real> turned = times(difference, turn.re, -turn.im);
    a = {sum.im + turned.re, sum.re - turned.im};
    b = {turned.re - sum.im, sum.re + turned.im};
  }
  __attribute__((noinline)) void take_apart_from(std::int64_t k) const {
    Values<Real>* const z = memory_.get();
    for (; 2 * k <= half_; ++k) {
      Values<Real> a = z[k], b = z[half_ - k];
      take_apart(a, b, k);
      z[half_ - k] = b;
      z[k] = a;
    }
  }
  __attribute__((noinline)) void take_apart(const Blocks& lines) const {
    constexpr std::int64_t size = Blocks::block_size;
    Values<Real>* const z = memory_.get();
    Values<Real> first{};
    std::int64_t k = 0;
    for (; k + size - 1 < half_ - k - size + 1; k += size) {
      const auto low = lines.get(k);
      const auto high = lines.get(half_ - k - size + 1);
      if (k == 0) first = {low[0].re - high.back().re, low[0].re + high.back().re};
#pragma GCC unroll 8
      for (std::int64_t i = 0; i < size; ++i) {
        Values<Real> a = low[static_cast<std::size_t>(i)];
        Values<Real> b = high[static_cast<std::size_t>(size - 1 - i)];
        take_apart(a, b, k + i);
        z[k + i] = a;
        z[half_ - k - i] = b;
      }
    }
    lines.load(z, k, half_ - k + 1);
    if (k == 0) first = {z[0].re - z[half_].re, z[0].re + z[half_].re};
    take_apart_from(k);
    z[0] = first;
  }

  std::int64_t half_;
  bool is_forward_;
  AnyTransform<Real> transform_;
  LaneBuffer<Values<Real>> memory_;  // n/2 + 1 complex numbers of each line
  std::vector<Turn<Real>> turns_;    // to r2c halved
  PrefetchQueue nothing_;
};

}  // namespace weft::WEFT_LANES
