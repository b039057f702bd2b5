// support/direct_dft: the reference - direct sums in long double, one axis after another, over a
// whole field in one process. Shares nothing with weft but Dims.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include "weft/base/dims.hpp"

namespace weft::test {

using Wide = std::complex<long double>;

/// A whole field, the last axis fastest.
struct WholeField {
  Extents extents;
  std::vector<Wide> values;

  explicit WholeField(const Extents& e) : extents(e), values(static_cast<std::size_t>(volume(e))) {}
  std::size_t offset(const Dims& at) const {
    std::int64_t offset = 0;
    for (int a = 0; a < extents.size(); ++a) offset = offset * extents[a] + at[a];
    return static_cast<std::size_t>(offset);
  }
  Wide& operator[](const Dims& at) { return values[offset(at)]; }
  const Wide& operator[](const Dims& at) const { return values[offset(at)]; }
};

/// sum_j x[j] exp(sign 2 pi i j k / n) for every line along `axis`; only the first `kept` k.
inline WholeField direct_dft(const WholeField& x, int axis, int sign, std::int64_t kept) {
  const std::int64_t n = x.extents[axis];
  std::vector<Wide> roots(static_cast<std::size_t>(n));
  for (std::int64_t m = 0; m < n; ++m) {
    const long double angle = sign * 2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(m) / static_cast<long double>(n);
    roots[static_cast<std::size_t>(m)] = {std::cos(angle), std::sin(angle)};
  }
  Extents extents = x.extents;
  extents[axis] = kept;
  WholeField y(extents);
  std::int64_t inner = 1, outer = 1;
  for (int a = 0; a < axis; ++a) outer *= x.extents[a];
  for (int a = axis + 1; a < x.extents.size(); ++a) inner *= x.extents[a];
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t k = 0; k < kept; ++k)
      for (std::int64_t i = 0; i < inner; ++i) {
        const Wide* value = &x.values[static_cast<std::size_t>(o * n * inner + i)];
        long double real = 0, imaginary = 0;
        // The root of j k turns by k from each j to the next.
        for (std::int64_t j = 0, turned = 0; j < n; ++j, value += inner) {
          const Wide& root = roots[static_cast<std::size_t>(turned)];
          real += value->real() * root.real() - value->imag() * root.imag();
          imaginary += value->real() * root.imag() + value->imag() * root.real();
          turned += k;
          if (turned >= n) turned -= n;
        }
        y.values[static_cast<std::size_t>((o * kept + k) * inner + i)] = {real, imaginary};
      }
  return y;
}

/// y_k = sum_j matrix[k][j] x_j for every line along `axis`.
inline WholeField multiplied(const WholeField& x, int axis,
                             const std::vector<std::vector<long double>>& matrix) {
  const auto n = static_cast<std::size_t>(x.extents[axis]);
  WholeField y(x.extents);
  std::size_t inner = 1;
  for (int a = axis + 1; a < x.extents.size(); ++a) inner *= static_cast<std::size_t>(x.extents[a]);
  for (std::size_t first = 0; first < x.values.size(); first += n * inner)
    for (std::size_t i = 0; i < inner; ++i)
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
          y.values[first + k * inner + i] += matrix[k][j] * x.values[first + j * inner + i];
  return y;
}

}  // namespace weft::test
