// fft/lanes/lanes: weft's own transforms of several lines at a time, one in each lane of a vector,
// or of lines of which adjacent points are in the lanes. Only real and imaginary parts are
// shuffled, when they are loaded and stored. With the 32 registers of AVX-512, columns take 0.45 to
// 0.8 of the time of Debian's FFTW, which uses AVX without FMA (0.2 to 0.6 in single precision);
// with the 16 of AVX2, 0.4 to 0.95. One source is compiled for each set of vector instructions,
// with the vectors of the compiler: GCC and clang have them for every processor, and butterflies
// need nothing else but one shuffle and fmadd.
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

/// The width that is best on this processor, by rule (`fft/processor_family`); 0 where it was not
/// measured whether lanes are faster than FFTW, and in a build without them.
int usual_lane_width();

/// The reason why this build or this processor does not support lanes of so many bits; empty if
/// they do.
std::optional<std::string> no_lanes(int bits);

/// Whether lanes of `bits` bits may transform columns of `n` points, c2c or with these sums, faster
/// than FFTW does on this processor.
bool are_lanes_worthwhile(std::int64_t n, int bits, Basis sums = Basis::fourier);

/// A kernel for lines that lanes transform faster than FFTW does; null for other lines. These are
/// c2c lines of worthwhile length that are adjacent in memory in the input or the output; strided
/// c2c lines that are long, of odd length, or, in single precision, of a length that 8 does not
/// divide; contiguous c2c lines of a multiple of 8 points from 56 on (single precision: of 16 from
/// 240 on) with 512 bits, and of half of these with AVX2; r2c and c2r lines that fit the level-1
/// cache; and sines and cosines of types II and III of even length. Except for sines and cosines,
/// lines may have Lines::kept. no_lanes(bits) must be empty.
std::unique_ptr<Kernel> make_lanes(const Lines& lines, int bits);

}  // namespace weft
