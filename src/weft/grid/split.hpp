// grid/split: divides a range of indices into parts.
// Keeps: the parts are consecutive, cover the range, and the lowest parts take the remainder.
#pragma once

#include <cstdint>

#include "weft/grid/box_algebra.hpp"

namespace weft {

/// Part `i` of `n` points divided into `parts`. Sizes differ by at most one, larger parts first.
inline Range split(std::int64_t n, std::int64_t parts, std::int64_t i) {
  const std::int64_t base = n / parts, rest = n % parts;
  const std::int64_t lo = i * base + (i < rest ? i : rest);
  return {lo, lo + base + (i < rest ? 1 : 0)};
}

/// The number of the part that contains `index`, when `n` points are divided into `parts`.
inline std::int64_t part_of(std::int64_t n, std::int64_t parts, std::int64_t index) {
  const std::int64_t base = n / parts, rest = n % parts;
  const std::int64_t large = rest * (base + 1);
  return index < large ? index / (base + 1) : rest + (index - large) / base;
}

}  // namespace weft
