// fft/lane_access: loads the caller's lines into vectors, one line in each lane, and stores them.
// Include after all other headers, as fft/butterflies.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "weft/fft/butterflies.hpp"

namespace weft {

// Loads and stores a vector: all of it, or only the reals in the mask.
template <bool whole>
WEFT_INLINE VectorOf<double>::type some(const double* from, unsigned mask) {
  return whole ? _mm256_loadu_pd(from) : _mm256_maskz_loadu_pd(static_cast<__mmask8>(mask), from);
}
template <bool whole>
WEFT_INLINE VectorOf<float>::type some(const float* from, unsigned mask) {
  return whole ? _mm256_loadu_ps(from) : _mm256_maskz_loadu_ps(static_cast<__mmask8>(mask), from);
}
template <bool whole>
WEFT_INLINE void put_some(double* to, VectorOf<double>::type values, unsigned mask) {
  if constexpr (whole)
    _mm256_storeu_pd(to, values);
  else
    _mm256_mask_storeu_pd(to, static_cast<__mmask8>(mask), values);
}
template <bool whole>
WEFT_INLINE void put_some(float* to, VectorOf<float>::type values, unsigned mask) {
  if constexpr (whole)
    _mm256_storeu_ps(to, values);
  else
    _mm256_mask_storeu_ps(to, static_cast<__mmask8>(mask), values);
}

// One complex number of each line, in the order in which contiguous lanes have them in memory.
template <class Real>
struct Numbers {
  typename VectorOf<Real>::type low, high;
};

// Converts between numbers and their real and imaginary parts; only these two functions define
// which line has which lane. The inverse transform swaps real and imaginary parts, on input and
// output.
template <bool forward, class Real>
WEFT_INLINE Values<Real> parts_of(Numbers<Real> numbers) {
  const auto low = numbers.low, high = numbers.high;
  Values<Real> values;
  if constexpr (sizeof(Real) == sizeof(double)) {
    values.re = __builtin_shufflevector(low, high, 0, 4, 2, 6);
    values.im = __builtin_shufflevector(low, high, 1, 5, 3, 7);
  } else {
    values.re = __builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14);
    values.im = __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15);
  }
  if constexpr (forward) return values;
  return {values.im, values.re};
}
template <bool forward, class Real>
WEFT_INLINE Numbers<Real> numbers_of(Values<Real> values) {
  const auto re = forward ? values.re : values.im, im = forward ? values.im : values.re;
  if constexpr (sizeof(Real) == sizeof(double))
    return {__builtin_shufflevector(re, im, 0, 4, 2, 6),
            __builtin_shufflevector(re, im, 1, 5, 3, 7)};
  else
    return {__builtin_shufflevector(re, im, 0, 8, 1, 9, 4, 12, 5, 13),
            __builtin_shufflevector(re, im, 2, 10, 3, 11, 6, 14, 7, 15)};
}

// Lines that are adjacent in memory (columns): as many as there are lanes, or fewer if not `whole`.
template <class Real, bool forward, bool whole>
struct ContiguousLanes {
  static constexpr int lanes = vector_bytes / sizeof(Real);
  Real* data;
  std::int64_t stride;           // distance of two points of a line, in reals
  unsigned low_mask, high_mask;  // the reals that belong to lines

  ContiguousLanes(Real* first, std::int64_t point_stride, std::int64_t lines)
      : data(first),
        stride(point_stride),
        low_mask(((1U << 2 * lines) - 1) & ((1U << lanes) - 1)),
        high_mask(((1U << 2 * lines) - 1) >> lanes) {}

  WEFT_INLINE Values<Real> get(std::int64_t point) const {
    const Real* from = data + point * stride;
    return parts_of<forward>(
        Numbers<Real>{some<whole>(from, low_mask), some<whole>(from + lanes, high_mask)});
  }
  WEFT_INLINE void put(std::int64_t point, Values<Real> values) const {
    const auto numbers = numbers_of<forward>(values);
    Real* to = data + point * stride;
    put_some<whole>(to, numbers.low, low_mask);
    put_some<whole>(to + lanes, numbers.high, high_mask);
  }
};

// Lines that are not adjacent. If there are fewer lines than lanes, the lanes without a line read
// the last line, and write to it before its own lane does.
template <class Real, bool forward>
struct StridedLanes {
  static constexpr int lanes = vector_bytes / sizeof(Real);
  std::array<Real*, lanes> data;
  std::int64_t stride;  // distance of two points of a line, in reals

  StridedLanes(Real* first, std::int64_t point_stride, std::int64_t line_stride, std::int64_t lines)
      : stride(point_stride) {
    for (std::int64_t i = 0; i < lanes; ++i)
      data[static_cast<std::size_t>(i)] = first + std::min(i, lines - 1) * line_stride;
  }

  // One complex number: as a double (of two floats), or as a vector of two doubles.
  typedef double Two __attribute__((vector_size(16)));
  typedef double Four __attribute__((vector_size(32)));
  WEFT_INLINE double pair(std::size_t line, std::int64_t at) const {
    double both;
    std::memcpy(&both, data[line] + at, sizeof(both));
    return both;
  }
  WEFT_INLINE Two number(std::size_t line, std::int64_t at) const {
    Two both;
    std::memcpy(&both, data[line] + at, sizeof(both));
    return both;
  }
  template <class Part>
  WEFT_INLINE void set(std::size_t line, std::int64_t at, Part part) const {
    std::memcpy(data[line] + at, &part, sizeof(part));
  }

  WEFT_INLINE Values<Real> get(std::int64_t point) const {
    const std::int64_t at = point * stride;
    Numbers<Real> numbers;
    if constexpr (lanes == 4) {
      numbers.low = __builtin_shufflevector(number(0, at), number(1, at), 0, 1, 2, 3);
      numbers.high = __builtin_shufflevector(number(2, at), number(3, at), 0, 1, 2, 3);
    } else {
      const Four low{pair(0, at), pair(1, at), pair(2, at), pair(3, at)},
          high{pair(4, at), pair(5, at), pair(6, at), pair(7, at)};
      numbers.low = reinterpret_cast<decltype(numbers.low)>(low);
      numbers.high = reinterpret_cast<decltype(numbers.high)>(high);
    }
    return parts_of<forward>(numbers);
  }
  WEFT_INLINE void put(std::int64_t point, Values<Real> values) const {
    const std::int64_t at = point * stride;
    const auto [low, high] = numbers_of<forward>(values);
    if constexpr (lanes == 4) {
      set(3, at, __builtin_shufflevector(high, high, 2, 3));
      set(2, at, __builtin_shufflevector(high, high, 0, 1));
      set(1, at, __builtin_shufflevector(low, low, 2, 3));
      set(0, at, __builtin_shufflevector(low, low, 0, 1));
    } else {
      const auto first = reinterpret_cast<Four>(low), second = reinterpret_cast<Four>(high);
      for (std::size_t i = 4; i > 0; --i) set(3 + i, at, second[i - 1]);
      for (std::size_t i = 4; i > 0; --i) set(i - 1, at, first[i - 1]);
    }
  }
};

}  // namespace weft
