// fft/lanes: weft's own transforms of several lines at a time, one in each lane of a vector.
// Only real and imaginary parts are shuffled, when they are loaded and stored. With the 32
// registers of AVX-512, columns take 0.45 to 0.8 of the time of Debian's FFTW, which uses AVX
// without FMA (0.2 to 0.6 in single precision); with the 16 of AVX2, 0.4 to 0.85. One source is
// compiled for each set of vector instructions, with the vectors of the compiler: GCC and clang
// have them for every processor, and the butterflies need nothing else but one shuffle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/fft/engine.hpp"

namespace weft {

/// The bits of the vectors that there are lanes for, the widest first: 512, 256 and 128.
const std::vector<int>& lane_widths();

/// The width that is best on this processor, by rule: 512 bits on processors with AVX-512 whose
/// units are of that width, Intel's and AMD's from Zen 5 on; 256 bits on others with AVX-512 or
/// AVX2. 0 on all others, where it was not measured whether lanes are faster than FFTW.
int usual_lane_width();

/// The reason why this build or this processor does not support lanes of so many bits; empty if
/// they do.
std::optional<std::string> no_lanes(int bits);

/// For tests: lets this processor have no more of these instructions from now on; avx512 ends that.
enum class VectorSet { baseline, avx2, avx512 };
void pretend_at_most(VectorSet most);

/// For tests: lets the rules take this processor for one with 32 vector registers from now on, or
/// no longer.
void pretend_32_registers(bool pretends);

/// Whether lanes of `bits` bits may transform columns of `n` points, c2c or with these sums, faster
/// than FFTW does on this processor.
bool are_lanes_worthwhile(std::int64_t n, int bits, Basis sums = Basis::fourier);

/// A kernel for lines that lanes transform faster than FFTW does: c2c lines of worthwhile length
/// that are adjacent in memory in the input or the output, long strided ones, r2c and c2r lines of
/// even length that fit the level-1 cache, and sines and cosines of types II and III of even
/// length. Null for other lines. Takes lines with Lines::kept, too, but for sines and cosines.
/// no_lanes(bits) must be empty.
std::unique_ptr<Kernel> make_lanes(const Lines& lines, int bits);

}  // namespace weft
