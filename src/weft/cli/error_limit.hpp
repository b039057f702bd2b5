// cli/error_limit: the largest error of a result that the program accepts.
#pragma once

#include "weft/scalar.hpp"

namespace weft::cli {

/// Largest error relative to the largest value. A choice: rounding leaves errors of about 1e-15
/// (single precision: 1e-7), and mistakes in a transform leave errors of about 1.
constexpr double error_limit(Precision precision) {
  return precision == Precision::double_precision ? 1e-10 : 1e-4;
}

}  // namespace weft::cli
