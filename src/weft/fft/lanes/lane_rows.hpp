// fft/lanes/lane_rows: loads and stores points of real lines, one line in each lane of a vector;
// and a buffer of complex numbers. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "weft/fft/lanes/vectors.hpp"

namespace weft::WEFT_LANES {

// The points of as many real lines as there are lanes, adjacent in memory.
template <class Real>
struct ContiguousRows {
  using Vector = typename VectorOf<Real>::type;
  static constexpr bool is_fast = true;  // whether a radix step may load from here
  Real* data;
  std::int64_t stride;

  WEFT_INLINE Vector get(std::int64_t point) const {
    Vector values;
    std::memcpy(&values, data + point * stride, sizeof(Vector));
    return values;
  }
  WEFT_INLINE void put(std::int64_t point, Vector values) const {
    std::memcpy(data + point * stride, &values, sizeof(Vector));
  }
};

// Those of other lines. Lanes without a line read the last one, and write to it before its own lane
// does.
template <class Real>
struct StridedRows {
  static constexpr bool is_fast = false;
  using Vector = typename VectorOf<Real>::type;
  static constexpr std::size_t lanes = vector_bytes / sizeof(Real);
  std::array<Real*, lanes> data;
  std::int64_t stride;

  StridedRows(Real* first, std::int64_t point_stride, std::int64_t line_stride, std::int64_t count)
      : stride(point_stride) {
    for (std::size_t i = 0; i < lanes; ++i)
      data[i] = first + std::min(static_cast<std::int64_t>(i), count - 1) * line_stride;
  }
  template <std::size_t... i>
  WEFT_INLINE Vector get_each(std::int64_t at, std::index_sequence<i...>) const {
    return Vector{data[i][at]...};
  }
  template <std::size_t... i>
  WEFT_INLINE void put_each(std::int64_t at, Vector values, std::index_sequence<i...>) const {
    ((data[lanes - 1 - i][at] = values[lanes - 1 - i]), ...);
  }
  WEFT_INLINE Vector get(std::int64_t point) const {
    return get_each(point * stride, std::make_index_sequence<lanes>());
  }
  WEFT_INLINE void put(std::int64_t point, Vector values) const {
    put_each(point * stride, values, std::make_index_sequence<lanes>());
  }
};

// Calls run(rows) for `count` lines, of strides in reals.
template <class Real, class Run>
void with_rows(Real* first, std::int64_t point_stride, std::int64_t line_stride, std::int64_t count,
               const Run& run) {
  constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  if (line_stride == 1 && count == lanes)
    run(ContiguousRows<Real>{first, point_stride});
  else
    run(StridedRows<Real>(first, point_stride, line_stride, count));
}

// A buffer of complex numbers in order.
template <class Real>
struct Buffered {
  Values<Real>* data;
  WEFT_INLINE Values<Real> get(std::int64_t i) const { return loaded(data[i]); }
  WEFT_INLINE void put(std::int64_t i, Values<Real> values) const { data[i] = values; }

  static constexpr bool has_addresses = true;
  WEFT_INLINE Values<Real>* address(std::int64_t i) const { return data + i; }
  WEFT_INLINE std::int64_t address_step(std::int64_t points) const { return points; }
  static WEFT_INLINE Values<Real> load(const Values<Real>* from) { return loaded(*from); }
  static WEFT_INLINE void store(Values<Real>* to, Values<Real> values) { *to = values; }
};

}  // namespace weft::WEFT_LANES
