// base/checked: adds and multiplies, and notices what does not fit.

#include "weft/base/checked.hpp"

#include <limits>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {
constexpr std::int64_t largest_number = std::numeric_limits<std::int64_t>::max();
}  // namespace

std::optional<std::int64_t> checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<std::int64_t> checked_volume(const Dims& dims) {
  std::optional<std::int64_t> product = 1;
  for (const std::int64_t n : dims)
    if (product) product = checked_product(*product, n);
  return product;
}

std::int64_t bounded_sum(std::int64_t a, std::int64_t b) {
  return checked_sum(a, b).value_or(largest_number);
}

std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
  return checked_product(a, b).value_or(largest_number);
}

std::string volume_text(const Dims& dims) {
  const auto product = checked_volume(dims);
  return product ? std::to_string(*product) : fmt::format("more than {}", largest_number);
}

}  // namespace weft
