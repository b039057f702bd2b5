// fft/mkl_accuracy: divides by the factors that oneMKL has accurate steps for.

#include "weft/fft/mkl_accuracy.hpp"

#include "weft/base/prime_factors.hpp"

namespace weft {

bool is_mkl_inaccurate(std::int64_t n, Precision precision) {
  if (precision == Precision::single_precision) return false;
  std::int64_t others = n;
  for (const int factor : {2, 3, 5, 7, 11, 13})
    while (others % factor == 0) others /= factor;
  return others > 1 && !is_prime(n);
}

bool is_mkl_best(std::int64_t n) {
  constexpr std::int64_t least = 100;
  return n >= least && is_prime(n);
}

}  // namespace weft
