// fft/real_lanes: real-to-complex and complex-to-real transforms of an even number of real points,
// one line in each lane of a vector.
// A line of n points is taken as n/2 complex numbers, transformed, and split into the spectra of
// the even and of the odd points, of which that of the line is put together; and the other way
// round. Keeps: no line depends on another, so results do not depend on which lines go together.
// Include after all other headers, as fft/butterflies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lane_blocks.hpp"
#include "weft/fft/lane_loops.hpp"
#include "weft/fft/lane_rows.hpp"
#include "weft/fft/lane_transform.hpp"

namespace weft::WEFT_LANES {

// Pairs of the points of real lines, as complex numbers, in the lanes in which numbers that are
// loaded as such have theirs.
template <class Real, class Rows>
struct RealPairs {
  using Vector = typename VectorOf<Real>::type;
  static constexpr std::size_t lanes = vector_bytes / sizeof(Real);
  using Each = std::make_index_sequence<lanes>;
  const Rows& rows;

  static constexpr int line_of(std::size_t lane) {
    return Order<Real>::part(static_cast<int>(lane), 0) / 2;
  }
  static constexpr int lane_of(std::size_t line) {
    std::size_t lane = 0;
    while (line_of(lane) != static_cast<int>(line)) ++lane;
    return static_cast<int>(lane);
  }
  template <std::size_t... i>
  static WEFT_INLINE Vector to_lanes(Vector lines, std::index_sequence<i...>) {
    return __builtin_shufflevector(lines, lines, line_of(i)...);
  }
  template <std::size_t... i>
  static WEFT_INLINE Vector to_lines(Vector values, std::index_sequence<i...>) {
    return __builtin_shufflevector(values, values, lane_of(i)...);
  }
  WEFT_INLINE Values<Real> get(std::int64_t pair) const {
    return {to_lanes(rows.get(2 * pair), Each()), to_lanes(rows.get(2 * pair + 1), Each())};
  }
  // Of a transform that has swapped real and imaginary parts, to run the other way.
  WEFT_INLINE void put(std::int64_t pair, Values<Real> values) const {
    rows.put(2 * pair, to_lines(values.im, Each()));
    rows.put(2 * pair + 1, to_lines(values.re, Each()));
  }
};

// Pairs of contiguous points, by blocks.
template <class Real>
struct PairBlocks {
  static constexpr std::int64_t block_size = LineBlocks<Real>::block_size;
  LineBlocks<Real> lines;
  WEFT_INLINE typename LineBlocks<Real>::Block get(std::int64_t pair) const {
    return lines.template get<true>(pair);
  }
};

// As many lines as there are lanes, or fewer; strides in reals.
template <class Real>
struct PlacedLines {
  Real* first;
  std::int64_t point_stride, line_stride, count;
};

// Lines of which not all points are stored, and a buffer for the whole lines, in which the other
// points are zero.
template <class Real>
class PartOfLines {
 public:
  PartOfLines() = default;
  /// Of `points` points, of so many reals each, those that are kept are stored.
  PartOfLines(const KeptPoints& kept, std::int64_t points, std::int64_t reals)
      : kept_(kept), points_(points), reals_(reals) {
    if (is_part()) whole_.resize(static_cast<std::size_t>(lanes * points * reals));
  }
  bool is_part() const { return kept_.count != points_; }
  PlacedLines<Real> whole(std::int64_t count) {
    return {whole_.data(), reals_, points_ * reals_, count};
  }
  PlacedLines<Real> gathered(const PlacedLines<Real>& stored) {
    for_each_run(stored, [](Real* outside, Real* own, std::size_t bytes) {
      std::memcpy(own, outside, bytes);
    });
    return whole(stored.count);
  }
  void scatter(const PlacedLines<Real>& stored) {
    for_each_run(stored, [](Real* outside, const Real* own, std::size_t bytes) {
      std::memcpy(outside, own, bytes);
    });
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);

  template <class Copy>
  void for_each_run(const PlacedLines<Real>& stored, const Copy& copy) {
    const std::int64_t head = kept_.count - kept_.tail;
    for (std::int64_t line = 0; line < stored.count; ++line) {
      Real* const outside = stored.first + line * stored.line_stride;
      Real* const own = whole_.data() + line * points_ * reals_;
      const auto move = [&](std::int64_t i, std::int64_t count) {
        copy(outside + i * stored.point_stride, own + kept_.position(i, points_) * reals_,
             static_cast<std::size_t>(count * reals_) * sizeof(Real));
      };
      if (stored.point_stride == reals_) {
        if (head > 0) move(0, head);
        if (kept_.tail > 0) move(head, kept_.tail);
      } else {
        for (std::int64_t i = 0; i < kept_.count; ++i) move(i, 1);
      }
    }
  }

  KeptPoints kept_;
  std::int64_t points_ = 0, reals_ = 1;
  std::vector<Real> whole_;  // line by line
};

template <class Real>
class RealKernel : public Kernel {
 public:
  /// `across` is the loop whose lines are distributed over the lanes; null for a single line.
  RealKernel(const Lines& lines, const Lines::Loop* across)
      : half_(lines.n / 2),
        is_forward_(lines.kind == LineKind::r2c),
        transform_(lines.n / 2),
        memory_(lines.n / 2 + 1) {
    const auto in_reals = [&](Lines::Loop loop) {
      (is_forward_ ? loop.out_stride : loop.in_stride) *= 2;
      return loop;
    };
    points_ = in_reals({0, lines.in_stride, lines.out_stride});
    across_ = across == nullptr ? Lines::Loop{1, 0, 0} : in_reals(*across);
    for (const Lines::Loop& loop : lines.loops)
      if (&loop != across) loops_.push_back(in_reals(loop));
    if (lines.kept) {
      const std::int64_t points = lines.n, numbers = lines.n / 2 + 1;
      in_ = PartOfLines<Real>(lines.kept->in, is_forward_ ? points : numbers, is_forward_ ? 1 : 2);
      out_ =
          PartOfLines<Real>(lines.kept->out, is_forward_ ? numbers : points, is_forward_ ? 2 : 1);
    }
    // exp(-2 pi i k / n), to r2c halved.
    const long double length = is_forward_ ? 0.5L : 1;
    for (std::int64_t k = 0; 2 * k <= half_; ++k) {
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(lines.n);
      turns_.push_back({static_cast<Real>(length * std::cos(angle)),
                        static_cast<Real>(length * std::sin(angle))});
    }
  }

  // Lines of r2c come first in a tile, and are loaded from memory before: what follows them in the
  // tile issues the prefetches better (docs/tried.md).
  void run(void* in, void* out, PrefetchQueue& queue) override {
    for_each_turn(
        loops_, 1, static_cast<Real*>(in), static_cast<Real*>(out),
        [&](Real* from, Real* to) { run_across(from, to, is_forward_ ? nothing_ : queue); });
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  using Blocks = LineBlocks<Real>;
  struct Factor {
    Real re, im;
  };

  // Reads all points of `lanes` lines before it writes the first, so that it also works in place.
  void run_across(Real* in, Real* out, PrefetchQueue& queue) {
    for (std::int64_t i = 0; i < across_.count; i += lanes) {
      const std::int64_t count = std::min(lanes, across_.count - i);
      PlacedLines<Real> from{in + i * across_.in_stride, points_.in_stride, across_.in_stride,
                             count};
      const PlacedLines<Real> to{out + i * across_.out_stride, points_.out_stride,
                                 across_.out_stride, count};
      if (in_.is_part()) from = in_.gathered(from);
      const PlacedLines<Real> whole = out_.is_part() ? out_.whole(count) : to;
      if (is_forward_) {
        load_reals(from, queue);
        transform_.middle(queue);
        transform_.last(Buffered<Real>{memory_.get()}, queue);
        store_spectrum(whole);
      } else {
        load_spectrum(from);
        transform_.first(Buffered<Real>{memory_.get()}, queue);
        transform_.middle(queue);
        store_reals(whole, queue);
      }
      if (out_.is_part()) out_.scatter(to);
    }
  }

  void load_reals(const PlacedLines<Real>& lines, PrefetchQueue& queue) {
    if (lines.point_stride != 1) {
      for_rows(lines, [&](const auto& pairs, std::int64_t i) { memory_.get()[i] = pairs.get(i); });
    } else {
      const Blocks blocks(lines.first, lines.line_stride, lines.count);
      if (transform_.can_begin_by_blocks(Blocks::block_size))
        return transform_.first_by_blocks(PairBlocks<Real>{blocks}, queue);
      load_pairs(blocks);
    }
    transform_.first(Buffered<Real>{memory_.get()}, queue);
  }
  __attribute__((noinline)) void load_pairs(const Blocks& lines) const {
    lines.template load<true>(memory_.get(), 0, half_);
  }

  void store_reals(const PlacedLines<Real>& lines, PrefetchQueue& queue) {
    transform_.last(Buffered<Real>{memory_.get()}, queue);
    if (lines.point_stride == 1)
      store_pairs(Blocks(lines.first, lines.line_stride, lines.count));
    else
      for_rows(lines, [&](const auto& pairs, std::int64_t i) { pairs.put(i, memory_.get()[i]); });
  }
  __attribute__((noinline)) void store_pairs(const Blocks& lines) const {
    lines.template store<false>(memory_.get(), 0, half_);
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

  // Calls visit(pairs, i) for each pair i of lines that are not contiguous.
  template <class Visit>
  void for_rows(const PlacedLines<Real>& lines, const Visit& visit) const {
    with_rows(lines.first, lines.point_stride, lines.line_stride, lines.count,
              [&](const auto& rows) {
                const RealPairs<Real, std::decay_t<decltype(rows)>> pairs{rows};
                for (std::int64_t i = 0; i < half_; ++i) visit(pairs, i);
              });
  }
  template <class Run>
  static void with_numbers(const PlacedLines<Real>& lines, const Run& run) {
    if (lines.line_stride == 2 && lines.count == lanes)
      run(ContiguousLanes<Real, true, true>(lines.first, lines.point_stride, nullptr, lanes));
    else
      run(StridedLanes<Real, true>(lines.first, lines.point_stride, nullptr, lines.line_stride,
                                   lines.count));
  }

  // From the transform Z of the pairs of points to the spectrum of the line: those of the even and
  // the odd points are E = Z_k + conj Z_(h-k) and O = -i (Z_k - conj Z_(h-k)), halved, with
  // h = n/2; that of all is E + exp(-2 pi i k / n) O. Here of a = Z_k and b = Z_(h-k), with Z_h
  // = Z_0, which become what is at k and h-k.
  WEFT_INLINE void put_together(Values<Real>& a, Values<Real>& b, std::int64_t k) const {
    const Factor turn = turns_[static_cast<std::size_t>(k)];
    const Values<Real> even{a.re + b.re, a.im - b.im}, odd{a.im + b.im, b.re - a.re};
    const Values<Real> turned = times(odd, turn.re, turn.im);
    a = Real(0.5) * even + turned;
    b = {Real(0.5) * even.re - turned.re, turned.im - Real(0.5) * even.im};
  }
  // From k to h-k, in the buffer.
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
      lines.template put<true>(k, low);
      lines.template put<true>(other, high);
    }
    put_together_from(k);
    lines.template store<true>(z, k, half_ - k + 1);
  }

  // From the spectrum of the line to twice the Z of which the inverse transform is the pairs of
  // points. Real and imaginary parts are swapped, so that the forward transform that follows is the
  // inverse one. The first and the last number of the spectrum have no imaginary part.
  WEFT_INLINE void take_apart(Values<Real>& a, Values<Real>& b, std::int64_t k) const {
    const Factor turn = turns_[static_cast<std::size_t>(k)];
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
      const auto low = lines.template get<true>(k);
      const auto high = lines.template get<true>(half_ - k - size + 1);
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
    lines.template load<true>(z, k, half_ - k + 1);
    take_apart_from(k);
    z[0] = first;
  }

  std::int64_t half_;
  bool is_forward_;
  Lines::Loop points_{}, across_{};  // strides in reals
  std::vector<Lines::Loop> loops_;
  LaneTransform<Real> transform_;
  LaneBuffer<Real> memory_;  // n/2 + 1 complex numbers of each line
  PartOfLines<Real> in_, out_;
  std::vector<Factor> turns_;
  PrefetchQueue nothing_;
};

}  // namespace weft::WEFT_LANES
