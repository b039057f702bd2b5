// fft/lanes/real_lines: the reals and the complex numbers at the ends of real transforms, of
// several lines at a time, in the lanes of vectors. Include after all other headers, as
// fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lane_access.hpp"
#include "weft/fft/lanes/lane_loops.hpp"
#include "weft/fft/lanes/lane_rows.hpp"

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
  WEFT_INLINE Vector get_point(std::int64_t point) const {
    return to_lanes(rows.get(point), Each());
  }
  WEFT_INLINE void put_point(std::int64_t point, Vector values) const {
    rows.put(point, to_lines(values, Each()));
  }
  WEFT_INLINE Values<Real> get(std::int64_t pair) const {
    return {get_point(2 * pair), get_point(2 * pair + 1)};
  }
  // Stores a pair of a transform that has swapped real and imaginary parts, to run the other way.
  WEFT_INLINE void put(std::int64_t pair, Values<Real> values) const {
    put_point(2 * pair, values.im);
    put_point(2 * pair + 1, values.re);
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
  /// Lines of `points` points of so many reals each, of which `kept` says which are stored.
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

// Calls visit(pairs), which has the points of lines of reals.
template <class Real, class Visit>
void with_pairs(const PlacedLines<Real>& lines, const Visit& visit) {
  with_rows(lines.first, lines.point_stride, lines.line_stride, lines.count,
            [&](const auto& rows) { visit(RealPairs<Real, std::decay_t<decltype(rows)>>{rows}); });
}

// Calls run(access) for lines of complex numbers.
template <class Real, class Run>
void with_numbers(const PlacedLines<Real>& lines, const Run& run) {
  constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  if (lines.line_stride == 2 && lines.count == lanes)
    run(ContiguousLanes<Real, true>(lines.first, lines.point_stride, nullptr, lanes));
  else
    run(StridedLanes<Real>(lines.first, lines.point_stride, nullptr, lines.line_stride,
                           lines.count));
}

// The ends of the lines of a kernel, in reals: of the points, the lanes, and the other loops; and
// what is stored of the lines.
template <class Real>
struct RealEnds {
  Lines::Loop points, across;
  std::vector<Lines::Loop> loops;
  PartOfLines<Real> in, out;

  /// `across` is the loop whose lines are distributed over the lanes; null for a single line.
  RealEnds(const Lines& lines, const Lines::Loop* across_loop) {
    const bool is_forward = lines.kind == LineKind::r2c;
    const auto in_reals = [&](Lines::Loop loop) {
      (is_forward ? loop.out_stride : loop.in_stride) *= 2;
      return loop;
    };
    points = in_reals({0, lines.in_stride, lines.out_stride});
    across = across_loop == nullptr ? Lines::Loop{1, 0, 0} : in_reals(*across_loop);
    for (const Lines::Loop& loop : lines.loops)
      if (&loop != across_loop) loops.push_back(in_reals(loop));
    if (!lines.kept) return;
    const std::int64_t reals = lines.n, numbers = lines.n / 2 + 1;
    in = PartOfLines<Real>(lines.kept->in, is_forward ? reals : numbers, is_forward ? 1 : 2);
    out = PartOfLines<Real>(lines.kept->out, is_forward ? numbers : reals, is_forward ? 2 : 1);
  }

  // Calls transform(from, to) for as many lines at a time as there are lanes. All points of `from`
  // are read before the first of `to` is written, so that it also works in place.
  template <class Transform>
  void for_each(Real* from, Real* to, const Transform& transform) {
    for_each_turn(loops, 1, from, to, [&](Real* first_in, Real* first_out) {
      constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
      for (std::int64_t i = 0; i < across.count; i += lanes) {
        const std::int64_t count = std::min(lanes, across.count - i);
        const PlacedLines<Real> source{first_in + i * across.in_stride, points.in_stride,
                                       across.in_stride, count};
        const PlacedLines<Real> target{first_out + i * across.out_stride, points.out_stride,
                                       across.out_stride, count};
        transform(in.is_part() ? in.gathered(source) : source,
                  out.is_part() ? out.whole(count) : target);
        if (out.is_part()) out.scatter(target);
      }
    });
  }
};

}  // namespace weft::WEFT_LANES
