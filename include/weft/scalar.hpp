// weft/scalar: the four element types of a field, as values.
// Floor: base.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>

namespace weft {

/// The precision of the real numbers that a field is made of: float or double.
enum class Precision { single_precision, double_precision };

/// Element type of a field.
struct Scalar {
  Precision precision = Precision::double_precision;  ///< of its real numbers
  bool is_complex = true;                             ///< two of them, or one

  /// Bytes of an element: 4, 8 or 16.
  std::int64_t bytes() const {
    return (precision == Precision::single_precision ? 4 : 8) * (is_complex ? 2 : 1);
  }
  /// NumPy's name of the type: float32, float64, complex64, complex128.
  std::string name() const {
    return (is_complex ? "complex" : "float") + std::to_string(8 * bytes());
  }
  friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// The Scalar of a C++ type, as scalar_of<T>::value: float, double and std::complex of them.
template <class T>
struct scalar_of;
template <>
struct scalar_of<float> {
  static constexpr Scalar value{Precision::single_precision, false};
};
template <>
struct scalar_of<double> {
  static constexpr Scalar value{Precision::double_precision, false};
};
template <>
struct scalar_of<std::complex<float>> {
  static constexpr Scalar value{Precision::single_precision, true};
};
template <>
struct scalar_of<std::complex<double>> {
  static constexpr Scalar value{Precision::double_precision, true};
};

/// The larger of two numbers; NaN if either is not a number, which std::max may lose.
inline double larger_or_nan(double a, double b) { return a < b || std::isnan(b) ? b : a; }

/// "single" or "double"
inline const char* to_string(Precision precision) {
  return precision == Precision::single_precision ? "single" : "double";
}

}  // namespace weft
