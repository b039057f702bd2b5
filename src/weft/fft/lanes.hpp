// fft/lanes: weft's own transforms of several lines at a time, one in each lane of a vector.
// Only real and imaginary parts are shuffled, when they are loaded and stored. With the 32
// registers of AVX-512, columns take 0.45 to 0.8 of the time of Debian's FFTW, which uses AVX
// without FMA (0.2 to 0.6 in single precision).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "weft/fft/engine.hpp"

namespace weft {

/// The reason why this build or this processor does not support lanes; empty if they do.
std::optional<std::string> no_lanes();

/// For tests: lets no_lanes() answer as on a processor without AVX-512 from now on, or no longer.
void pretend_no_lanes(bool pretends);

/// Whether lanes transform columns of `n` points faster than FFTW does.
bool are_lanes_worthwhile(std::int64_t n);

/// A kernel for c2c lines that lanes transform faster than FFTW does: lines of worthwhile length
/// that are adjacent in memory in the input or the output, and long strided lines. Null for other
/// lines.
std::unique_ptr<Kernel> make_lanes(const Lines& lines);

}  // namespace weft
