// base/checked: sums and products of numbers that users give, which 64 bits may not hold.
// Keeps: nothing overflows, whatever the numbers are. Volumes that have a limit: base/dims_text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/dims.hpp"

namespace weft {

/// The sum, the product, and the product of all entries; none if 64 bits do not hold it.
std::optional<std::int64_t> checked_sum(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_volume(const Dims& dims);

/// The sum and the product of two numbers that are at least 0; the largest number in the place of a
/// larger one.
std::int64_t bounded_sum(std::int64_t a, std::int64_t b);
std::int64_t bounded_product(std::int64_t a, std::int64_t b);

/// The product of the entries, each at least 1, as errors tell it: "35", or "more than
/// 9223372036854775807".
std::string volume_text(const Dims& dims);

}  // namespace weft
