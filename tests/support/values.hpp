// support/values: sample values of a field, and elements of arrays of any type.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/direct_dft.hpp"
#include "weft/scalar.hpp"

namespace weft::test {

/// A value in [-0.5, 0.5) for every point of every field of a batch, the same on all ranks.
long double sample(std::uint64_t seed, std::int64_t field, std::size_t offset, int part);

Wide get(const std::byte* data, const Scalar& scalar, std::int64_t element);

void put(std::byte* data, const Scalar& scalar, std::int64_t element, Wide value);

}  // namespace weft::test
