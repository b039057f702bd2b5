// weft/chebyshev: polynomials by their Chebyshev coefficients.
// Floor: plan.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "weft/error.hpp"
#include "weft/field.hpp"

namespace weft {

/// Error::invalid if `share` has no such axis, or, with the box, if a box does not span the axis;
/// Error::unsupported for waves.
void require_whole_axis(const Share& share, int axis);

/// The derivative along a line of coefficients of T_0, T_1 ... T_(n-1), `stride` elements apart, in
/// their place: b_k = b_(k+2) + 2 (k+1) a_(k+1), and half of that for k = 0.
/// Source: J. P. Boyd, Chebyshev and Fourier Spectral Methods, appendix A.
template <class T>
void differentiate_chebyshev(T* line, std::int64_t n, std::int64_t stride) {
  using Real = decltype(std::abs(T{}));
  T after{}, next{};  // b_(k+2), b_(k+1)
  T coefficient{};    // a_(k+1), which next has replaced
  for (std::int64_t k = n - 1; k >= 0; --k) {
    const T mine = line[k * stride];
    const T derived = k == n - 1 ? T{} : after + static_cast<Real>(2 * (k + 1)) * coefficient;
    after = next;
    next = derived;
    coefficient = mine;
    line[k * stride] = k == 0 ? derived / Real(2) : derived;
  }
}

/// Replaces the coefficients that a plan with the basis chebyshev or chebyshev_gauss along `axis`
/// has made of field `number` of the batch by those of the derivative along this axis, on the
/// interval from -1 to 1. Not collective. Error::invalid if there is no such axis, counted from 0,
/// or no such field, or if a box of this rank does not span the axis: let Problem::output divide
/// other axes. Error::unsupported for waves.
///
///     channel.output = {weft::Distribution::brick, {ranks, 1, 1}};   // axis 1 is whole
///     plan.forward(u, a);
///     weft::differentiate_chebyshev(a, 1);
///     plan.backward(a, du);
template <class T>
void differentiate_chebyshev(Field<T>& coefficients, int axis, std::int64_t number = 0) {
  const Share& share = coefficients.share();
  require_whole_axis(share, axis);
  T* const field = coefficients.data() + coefficients.start_of(number);
  for (std::size_t b = 0; b < share.boxes.size(); ++b) {
    const Box& box = share.boxes[b];
    const Dims& strides = share.array.layouts[b].strides;
    std::int64_t lines = 1;
    for (int a = 0; a < box.axes(); ++a) lines *= a == axis ? 1 : box.extent(a);
    for (std::int64_t line = 0; line < lines; ++line) {
      std::int64_t at = share.array.offsets[b], rest = line;
      for (int a = box.axes() - 1; a >= 0; --a) {
        if (a == axis) continue;
        at += rest % box.extent(a) * strides[a];
        rest /= box.extent(a);
      }
      differentiate_chebyshev(field + at, box.extent(axis), strides[axis]);
    }
  }
}

}  // namespace weft
