// compute/factor_rows: multiplies rows of complex numbers by products of two factors.
// Keeps: a result depends on the number and its factors alone, not on where in a row it is, nor on
// the processor.
#pragma once

#include <cstdint>

namespace weft {

/// Rows of complex numbers, each of which is to be multiplied by the product of two factors.
/// Real and imaginary parts of the factors are in arrays of their own.
template <class Real>
struct FactorRows {
  Real* data;               ///< of the first number
  std::int64_t row_stride;  ///< in reals
  std::int64_t rows, count;
  /// The same for all rows: one factor for each number of a row, or a single one.
  const Real *first_re, *first_im;
  bool first_varies;
  /// For each row in turn: one factor for each number, or a single one.
  const Real *second_re, *second_im;
  bool second_varies;
};

/// Multiplies the rows by their factors.
void multiply_rows(const FactorRows<double>& rows);
void multiply_rows(const FactorRows<float>& rows);

}  // namespace weft
