// fft/mkl_accuracy: the lengths at which oneMKL is inaccurate, and those at which it is best.
#pragma once

#include <cstdint>

#include "weft/scalar.hpp"

namespace weft {

/// Whether oneMKL's transforms of `n` points may have errors above what round-off explains. In
/// double precision, its kernels for AVX-512 (of oneMKL 2026.2) have errors of 20 to 540 epsilon,
/// relative to the largest value, at lengths with a prime factor from 17 to 149 that are not prime;
/// at all other lengths up to 2048 it is 8 epsilon at most. The rule is the same on all processors,
/// so that results do not depend on them, and takes all larger prime factors as well.
bool is_mkl_inaccurate(std::int64_t n, Precision precision);

/// Whether oneMKL takes less time for `n` points than FFTW does without trial runs: at primes from
/// 100 on, where it is accurate, too. Measured on Zen 5 in fields of three such axes, 0.66 to 0.92
/// of the time in double precision and 0.39 to 0.64 in single; at smaller primes 0.44 to 1.26.
bool is_mkl_best(std::int64_t n);

}  // namespace weft
