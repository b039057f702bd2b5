// compute/factor_rows: the same arithmetic with vectors of every width, down to single numbers.
// Keeps: this file is compiled without contraction, so no product and sum become one rounding.

#include "weft/compute/factor_rows.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

#include "weft/fft/processor_family.hpp"

namespace weft {

namespace {

#if defined(__GNUC__)
#define WEFT_BODY inline __attribute__((always_inline))
#else
#define WEFT_BODY inline
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define WEFT_HAVE_VECTORS 1
#endif
#endif

// As many complex numbers as there are lanes; a single number is no vector.
template <class Real, std::size_t lanes>
struct VectorOf {
#ifdef WEFT_HAVE_VECTORS
  typedef Real type __attribute__((vector_size(lanes * sizeof(Real))));
#endif
};
template <class Real>
struct VectorOf<Real, 1> {
  using type = Real;
};

template <class Real, std::size_t lanes>
struct Numbers {
  using Vector = typename VectorOf<Real, lanes>::type;
  Vector re, im;

  // Loads one number for all lanes, or one for each lane.
  template <bool varies>
  static WEFT_BODY Numbers of(const Real* re, const Real* im) {
    if constexpr (!varies) return {*re - Vector{}, *im - Vector{}};  // also of a negative zero
    Numbers all;
    std::memcpy(&all.re, re, sizeof(Vector));
    std::memcpy(&all.im, im, sizeof(Vector));
    return all;
  }
  friend WEFT_BODY Numbers operator*(Numbers a, Numbers b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

// Multiplies as many adjacent numbers.
template <class Real, std::size_t lanes, std::size_t... i>
WEFT_BODY void multiply_numbers(Real* data, Numbers<Real, lanes> by, std::index_sequence<i...>) {
  using Vector = typename Numbers<Real, lanes>::Vector;
  if constexpr (lanes == 1) {
    const auto product = Numbers<Real, 1>{data[0], data[1]} * by;
    data[0] = product.re;
    data[1] = product.im;
  } else {
    Vector low, high;
    std::memcpy(&low, data, sizeof(Vector));
    std::memcpy(&high, data + lanes, sizeof(Vector));
    const auto product = Numbers<Real, lanes>{__builtin_shufflevector(low, high, (2 * i)...),
                                              __builtin_shufflevector(low, high, (2 * i + 1)...)} *
                         by;
    low = __builtin_shufflevector(product.re, product.im, (i / 2 + i % 2 * lanes)...);
    high = __builtin_shufflevector(product.re, product.im, (lanes / 2 + i / 2 + i % 2 * lanes)...);
    std::memcpy(data, &low, sizeof(Vector));
    std::memcpy(data + lanes, &high, sizeof(Vector));
  }
}

template <std::size_t lanes, bool second_varies, class Real>
WEFT_BODY void multiply_at(const FactorRows<Real>& rows, std::int64_t row, std::int64_t column,
                           Numbers<Real, lanes> first) {
  const std::int64_t at = second_varies ? row * rows.count + column : row;
  const auto second =
      Numbers<Real, lanes>::template of<second_varies>(rows.second_re + at, rows.second_im + at);
  multiply_numbers(rows.data + row * rows.row_stride + 2 * column, first * second,
                   std::make_index_sequence<lanes>());
}

// Multiplies what is left of the columns, from `column` on, with vectors of `lanes` lanes, and the
// rest with narrower ones. Factors of columns stay in registers.
template <std::size_t lanes, bool first_varies, bool second_varies, class Real>
WEFT_BODY void multiply(const FactorRows<Real>& rows, std::int64_t column) {
  constexpr auto width = static_cast<std::int64_t>(lanes);
  const std::int64_t last = rows.count - (rows.count - column) % width;
  using Factors = Numbers<Real, lanes>;
  if constexpr (first_varies) {
    for (std::int64_t at = column; at < last; at += width) {
      const auto first = Factors::template of<true>(rows.first_re + at, rows.first_im + at);
      for (std::int64_t row = 0; row < rows.rows; ++row)
        multiply_at<lanes, second_varies>(rows, row, at, first);
    }
  } else {
    const auto first = Factors::template of<false>(rows.first_re, rows.first_im);
    for (std::int64_t row = 0; row < rows.rows; ++row)
      for (std::int64_t at = column; at < last; at += width)
        multiply_at<lanes, second_varies>(rows, row, at, first);
  }
  if constexpr (lanes > 1)
    if (last < rows.count) multiply<lanes / 2, first_varies, second_varies>(rows, last);
}

template <std::size_t vector_bytes, class Real>
WEFT_BODY void multiply_by_any(const FactorRows<Real>& rows) {
#ifdef WEFT_HAVE_VECTORS
  constexpr std::size_t lanes = vector_bytes / sizeof(Real);
#else
  constexpr std::size_t lanes = 1;
#endif
  if (rows.first_varies)
    rows.second_varies ? multiply<lanes, true, true>(rows, 0)
                       : multiply<lanes, true, false>(rows, 0);
  else
    rows.second_varies ? multiply<lanes, false, true>(rows, 0)
                       : multiply<lanes, false, false>(rows, 0);
}

// One function for each set of instructions.
template <class Real>
void multiply_by_16_bytes(const FactorRows<Real>& rows) {
  multiply_by_any<16>(rows);
}
#if defined(__GNUC__) && defined(__x86_64__)
template <class Real>
__attribute__((target("avx2"))) void multiply_by_32_bytes(const FactorRows<Real>& rows) {
  multiply_by_any<32>(rows);
}
template <class Real>
__attribute__((target("avx512f,avx512vl,avx512dq"))) void multiply_by_64_bytes(
    const FactorRows<Real>& rows) {
  multiply_by_any<64>(rows);
}
template <class Real>
auto multiply_here() {
  if (has_avx512()) return multiply_by_64_bytes<Real>;
  return has_avx2() ? multiply_by_32_bytes<Real> : multiply_by_16_bytes<Real>;
}
#else
template <class Real>
auto multiply_here() {
  return multiply_by_16_bytes<Real>;
}
#endif

}  // namespace

void multiply_rows(const FactorRows<double>& rows) { multiply_here<double>()(rows); }
void multiply_rows(const FactorRows<float>& rows) { multiply_here<float>()(rows); }

}  // namespace weft
