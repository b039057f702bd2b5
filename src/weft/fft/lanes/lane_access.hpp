// fft/lanes/lane_access: loads the caller's lines into vectors, one line in each lane, and stores
// them. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "weft/fft/lanes/lane_masks.hpp"

namespace weft::WEFT_LANES {

// One complex number of each line, in the order in which contiguous lanes have them in memory.
template <class Real>
struct Numbers {
  typename VectorOf<Real>::type low, high;
};

// Which real of two vectors of `lanes` reals, one after the other, becomes real i of a vector. Only
// the following functions define which line has which lane: the order that one instruction gives,
// which works within 16 bytes.
template <class Real>
struct Order {
  static constexpr int lanes = vector_bytes / sizeof(Real);
  // Takes the real (part 0) or imaginary (part 1) parts from the numbers.
  static constexpr int part(int i, int part) {
    if (sizeof(Real) == 8) return i % 2 == 0 ? i + part : lanes + i - 1 + part;
    const int block = i / 4 * 4, at = i % 4;
    return (at < 2 ? 0 : lanes) + block + 2 * (at % 2) + part;
  }
  // Takes the lower (half 0) or upper (half 1) half of the numbers from their real and imaginary
  // parts.
  static constexpr int half(int i, int half) {
    if (sizeof(Real) == 8) return i % 2 == 0 ? i + half : lanes + i - 1 + half;
    const int block = i / 4 * 4, at = i % 4;
    return (at % 2 == 0 ? 0 : lanes) + block + at / 2 + 2 * half;
  }
};

// Converts between numbers and their real and imaginary parts.
template <class Real, std::size_t... i>
WEFT_INLINE Values<Real> parts_of(Numbers<Real> numbers, std::index_sequence<i...>) {
  const auto low = numbers.low, high = numbers.high;
  return {__builtin_shufflevector(low, high, Order<Real>::part(static_cast<int>(i), 0)...),
          __builtin_shufflevector(low, high, Order<Real>::part(static_cast<int>(i), 1)...)};
}
template <class Real>
WEFT_INLINE Values<Real> parts_of(Numbers<Real> numbers) {
  return parts_of(numbers, std::make_index_sequence<vector_bytes / sizeof(Real)>());
}
template <class Real, std::size_t... i>
WEFT_INLINE Numbers<Real> numbers_of(Values<Real> values, std::index_sequence<i...>) {
  const auto re = values.re, im = values.im;
  return {__builtin_shufflevector(re, im, Order<Real>::half(static_cast<int>(i), 0)...),
          __builtin_shufflevector(re, im, Order<Real>::half(static_cast<int>(i), 1)...)};
}
template <class Real>
WEFT_INLINE Numbers<Real> numbers_of(Values<Real> values) {
  return numbers_of(values, std::make_index_sequence<vector_bytes / sizeof(Real)>());
}

// As many complex numbers as a vector has reals, adjacent in memory.
template <class Real>
WEFT_INLINE Values<Real> load_adjacent(const Real* from) {
  constexpr std::size_t lanes = vector_bytes / sizeof(Real);
  Numbers<Real> numbers;
  std::memcpy(&numbers.low, from, vector_bytes);
  std::memcpy(&numbers.high, from + lanes, vector_bytes);
  return parts_of(Numbers<Real>{in_register(numbers.low), in_register(numbers.high)});
}
template <class Real>
WEFT_INLINE void store_adjacent(Real* to, Values<Real> values) {
  constexpr std::size_t lanes = vector_bytes / sizeof(Real);
  const auto numbers = numbers_of(values);
  std::memcpy(to, &numbers.low, vector_bytes);
  std::memcpy(to + lanes, &numbers.high, vector_bytes);
}

// Which of the stored points of a line is a given point: -1 for one that is not stored, and zero; a
// null table for lines that are stored as a whole.
using StoredPoints = const std::int32_t*;

// Lines that are adjacent in memory (columns): as many as there are lanes, stored as a whole, or
// not if not `whole`.
template <class Real, bool whole>
struct ContiguousLanes {
  static constexpr int lanes = vector_bytes / sizeof(Real);
  using Vector = typename VectorOf<Real>::type;
  Real* data;
  std::int64_t stride;  // distance of two points of a line, in reals
  StoredPoints stored;
  Mask<Real> low, high;  // the reals that belong to lines

  ContiguousLanes(Real* first, std::int64_t point_stride, StoredPoints points, std::int64_t lines)
      : data(first),
        stride(point_stride),
        stored(points),
        low(std::min<std::int64_t>(2 * lines, lanes)),
        high(std::max<std::int64_t>(2 * lines - lanes, 0)) {}

  WEFT_INLINE Values<Real> get(std::int64_t point) const {
    if constexpr (whole) return load(data + point * stride);
    if (stored != nullptr) point = stored[point];
    if (point < 0) return {Vector{}, Vector{}};
    const Real* from = data + point * stride;
    return parts_of(Numbers<Real>{low.load(from), high.load(from + lanes)});
  }
  WEFT_INLINE void put(std::int64_t point, Values<Real> values) const {
    if constexpr (whole) return store(data + point * stride, values);
    if (stored != nullptr) point = stored[point];
    if (point < 0) return;
    const auto numbers = numbers_of(values);
    Real* to = data + point * stride;
    low.store(to, numbers.low);
    high.store(to + lanes, numbers.high);
  }

  // Points by their addresses.
  static constexpr bool has_addresses = whole;
  WEFT_INLINE Real* address(std::int64_t point) const { return data + point * stride; }
  WEFT_INLINE std::int64_t address_step(std::int64_t points) const { return points * stride; }
  static WEFT_INLINE Values<Real> load(const Real* from) { return load_adjacent(from); }
  static WEFT_INLINE void store(Real* to, Values<Real> values) { store_adjacent(to, values); }
};

// Lines that are not adjacent. If there are fewer lines than lanes, the lanes without a line read
// the last line, and write to it before its own lane does.
template <class Real>
struct StridedLanes {
  static constexpr int lanes = vector_bytes / sizeof(Real);
  std::array<Real*, lanes> data;
  std::int64_t stride;  // distance of two points of a line, in reals
  StoredPoints stored;

  StridedLanes(Real* first, std::int64_t point_stride, StoredPoints points,
               std::int64_t line_stride, std::int64_t lines)
      : stride(point_stride), stored(points) {
    for (std::int64_t i = 0; i < lanes; ++i)
      data[static_cast<std::size_t>(i)] = first + std::min(i, lines - 1) * line_stride;
  }
  // For lines that are stored as a whole, where the first point of each is known.
  StridedLanes(const std::array<Real*, lanes>& firsts, std::int64_t point_stride)
      : data(firsts), stride(point_stride), stored(nullptr) {}

  using Vector = typename VectorOf<Real>::type;
  static constexpr std::size_t numbers_in_vector = lanes / 2;
  using Each = std::make_index_sequence<numbers_in_vector>;

  // A complex number of floats is moved like a double, one of doubles like a vector of two.
  using Words = typename VectorOf<double>::type;
  typedef double Two __attribute__((vector_size(16)));
  typedef double Four __attribute__((vector_size(32)));
  template <class Number>
  WEFT_INLINE Number number(std::size_t line, std::int64_t at) const {
    Number both;
    std::memcpy(&both, data[line] + at, sizeof(both));
    return both;
  }
  WEFT_INLINE Four two_numbers(std::size_t first, std::int64_t at) const {
    return __builtin_shufflevector(number<Two>(first, at), number<Two>(first + 1, at), 0, 1, 2, 3);
  }
  template <std::size_t... i>
  WEFT_INLINE Vector numbers_from(std::size_t first, std::int64_t at,
                                  std::index_sequence<i...>) const {
    if constexpr (sizeof(Real) == 4) {
      const Words words{number<double>(first + i, at)...};
      return reinterpret_cast<Vector>(words);
    } else if constexpr (lanes == 2) {
      return number<Two>(first, at);
    } else if constexpr (lanes == 4) {
      return two_numbers(first, at);
    } else {
      return __builtin_shufflevector(two_numbers(first, at), two_numbers(first + 2, at), 0, 1, 2, 3,
                                     4, 5, 6, 7);
    }
  }
  template <std::size_t i>
  WEFT_INLINE void put_number(std::size_t line, std::int64_t at, Vector values) const {
    if constexpr (sizeof(Real) == 4) {
      const double one = reinterpret_cast<Words>(values)[i];
      std::memcpy(data[line] + at, &one, sizeof(one));
    } else {
      const Two one = __builtin_shufflevector(values, values, 2 * i, 2 * i + 1);
      std::memcpy(data[line] + at, &one, sizeof(one));
    }
  }
  template <std::size_t... i>
  WEFT_INLINE void put_numbers(std::size_t first, std::int64_t at, Vector values,
                               std::index_sequence<i...>) const {
    constexpr std::size_t last = sizeof...(i) - 1;
    (put_number<last - i>(first + last - i, at, values), ...);
  }

  WEFT_INLINE Values<Real> get(std::int64_t point) const {
    if (stored != nullptr) point = stored[point];
    if (point < 0) return {Vector{}, Vector{}};
    const std::int64_t at = point * stride;
    return parts_of(
        Numbers<Real>{numbers_from(0, at, Each()), numbers_from(numbers_in_vector, at, Each())});
  }
  WEFT_INLINE void put(std::int64_t point, Values<Real> values) const {
    if (stored != nullptr) point = stored[point];
    if (point < 0) return;
    const std::int64_t at = point * stride;
    const auto numbers = numbers_of(values);
    put_numbers(numbers_in_vector, at, numbers.high, Each());
    put_numbers(0, at, numbers.low, Each());
  }
};

}  // namespace weft::WEFT_LANES
