// support/values: see the header.
#include "support/values.hpp"

namespace weft::test {

long double sample(std::uint64_t seed, std::int64_t field, std::size_t offset, int part) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15ULL * (offset + 1) +
                    0xbf58476d1ce4e5b9ULL * static_cast<std::uint64_t>(2 * field + part + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return static_cast<long double>(static_cast<double>(x >> 11) * 0x1.0p-53 - 0.5);
}

Wide get(const std::byte* data, const Scalar& scalar, std::int64_t element) {
  const bool single = scalar.precision == Precision::single_precision;
  const std::int64_t parts = scalar.is_complex ? 2 : 1;
  const auto part = [&](std::int64_t p) -> long double {
    if (single) return reinterpret_cast<const float*>(data)[element * parts + p];
    return reinterpret_cast<const double*>(data)[element * parts + p];
  };
  return {part(0), scalar.is_complex ? part(1) : 0};
}

void put(std::byte* data, const Scalar& scalar, std::int64_t element, Wide value) {
  const bool single = scalar.precision == Precision::single_precision;
  const std::int64_t parts = scalar.is_complex ? 2 : 1;
  const auto part = [&](std::int64_t p, long double x) {
    if (single)
      reinterpret_cast<float*>(data)[element * parts + p] = static_cast<float>(x);
    else
      reinterpret_cast<double*>(data)[element * parts + p] = static_cast<double>(x);
  };
  part(0, value.real());
  if (scalar.is_complex) part(1, value.imag());
}

}  // namespace weft::test
