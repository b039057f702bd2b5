// fft/lanes/real_lines: the reals and the complex numbers at the ends of real transforms, of
// several lines at a time, in the lanes of vectors. Include after all other headers, as
// fft/lanes/vectors.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "weft/fft/lanes/lane_access.hpp"
#include "weft/fft/lanes/lane_rows.hpp"
#include "weft/fft/lanes/real_ends.hpp"

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

}  // namespace weft::WEFT_LANES
