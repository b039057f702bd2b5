// compute/factor_rows: one plain loop, which the compiler vectorizes for the processors that there
// may be.
// Keeps: this file is compiled without contraction, so no product and sum become one rounding.

#include "weft/compute/factor_rows.hpp"

#include <utility>

namespace weft {

namespace {

#if defined(__GNUC__)
#define WEFT_BODY inline __attribute__((always_inline))
#else
#define WEFT_BODY inline
#endif

// The factors vary along a row, or are the same for all of it.
template <bool varies, class Real>
struct Factors {
  const Real *re, *im;
  WEFT_BODY std::pair<Real, Real> operator[](std::int64_t i) const {
    if constexpr (varies) return {re[i], im[i]};
    return {*re, *im};
  }
};

template <bool first_varies, bool second_varies, class Real>
WEFT_BODY void multiply(const FactorRows<Real>& rows) {
  const Factors<first_varies, Real> first{rows.first_re, rows.first_im};
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    const std::int64_t at = row * (second_varies ? rows.count : 1);
    const Factors<second_varies, Real> second{rows.second_re + at, rows.second_im + at};
    Real* const data = rows.data + row * rows.row_stride;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
    for (std::int64_t i = 0; i < rows.count; ++i) {
      const auto [a, b] = first[i];
      const auto [c, d] = second[i];
      const Real re = a * c - b * d, im = a * d + b * c;
      const Real x = data[2 * i], y = data[2 * i + 1];
      data[2 * i] = x * re - y * im;
      data[2 * i + 1] = x * im + y * re;
    }
  }
}

template <class Real>
WEFT_BODY void multiply_by_any(const FactorRows<Real>& rows) {
  if (rows.first_varies)
    rows.second_varies ? multiply<true, true>(rows) : multiply<true, false>(rows);
  else
    rows.second_varies ? multiply<false, true>(rows) : multiply<false, false>(rows);
}

#if defined(__GNUC__) && defined(__x86_64__)
template <class Real>
__attribute__((target("avx2"))) void multiply_avx2(const FactorRows<Real>& rows) {
  multiply_by_any(rows);
}
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
template <class Real>
void multiply_avx2(const FactorRows<Real>& rows) {
  multiply_by_any(rows);
}
bool has_avx2() { return false; }
#endif

template <class Real>
void multiply_here(const FactorRows<Real>& rows) {
  static const bool wide = has_avx2();
  if (wide)
    multiply_avx2(rows);
  else
    multiply_by_any(rows);
}

}  // namespace

void multiply_rows(const FactorRows<double>& rows) { multiply_here(rows); }
void multiply_rows(const FactorRows<float>& rows) { multiply_here(rows); }

}  // namespace weft
