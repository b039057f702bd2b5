// support/direct_dft: the reference - direct sums in long double, one axis after another, over a
// whole field in one process. Shares nothing with weft but Dims.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "weft/base/dims_text.hpp"

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
WholeField direct_dft(const WholeField& x, int axis, int sign, std::int64_t kept);

/// y_k = sum_j matrix[k][j] x_j for every line along `axis`.
WholeField multiplied(const WholeField& x, int axis,
                      const std::vector<std::vector<long double>>& matrix);

}  // namespace weft::test
