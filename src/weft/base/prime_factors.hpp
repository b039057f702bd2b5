// base/prime_factors: the primes that a length is a product of.
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

/// The prime factors of `n` > 0, ascending, each as often as it divides `n`; none of 1.
std::vector<std::int64_t> prime_factors(std::int64_t n);

bool is_prime(std::int64_t n);

}  // namespace weft
