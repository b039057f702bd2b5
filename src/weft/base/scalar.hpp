// base/scalar: the four element types of a field, as values.
#pragma once

#include <complex>
#include <cstdint>
#include <string>

namespace weft {

enum class Precision { single_precision, double_precision };

/// Element type of a field.
struct Scalar {
  Precision precision = Precision::double_precision;
  bool is_complex = true;

  std::int64_t bytes() const {
    return (precision == Precision::single_precision ? 4 : 8) * (is_complex ? 2 : 1);
  }
  /// NumPy's name of the type: float32, float64, complex64, complex128.
  std::string name() const {
    return (is_complex ? "complex" : "float") + std::to_string(8 * bytes());
  }
  friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// Scalar of a C++ type.
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

inline const char* to_string(Precision precision) {
  return precision == Precision::single_precision ? "single" : "double";
}

}  // namespace weft
