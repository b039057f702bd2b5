// fft/cosines: sine and cosine transforms II and III by complex transforms in lanes. Two adjacent
// lines of real numbers are one of complex ones, of the same number of points.
// Source: J. Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28
// (1980); the sines by reversing the order of one side and the signs of the other.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/fft/engine.hpp"

namespace weft {

/// Whether lanes of `bits` bits compute this transform of `n` points, faster than FFTW does.
bool are_cosines_worthwhile(Basis kind, std::int64_t n, int bits);

/// A kernel for r2r lines, without the factors of their ends; null for other lines, and where FFTW
/// is faster. no_lanes(bits) must be empty.
std::unique_ptr<Kernel> make_cosines(const Lines& lines, int bits);

}  // namespace weft
