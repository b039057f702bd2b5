// fft/lanes: weft's own transforms, several lines at once, one in each lane of a vector. Nothing is
// shuffled but real and imaginary parts as they come in and go out. Columns take 0.45 to 0.8 of the
// time of FFTW's for AVX where the processor has the 32 registers of AVX-512 (single precision: 0.2
// to 0.6), as Debian's FFTW knows no FMA.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "weft/fft/engine.hpp"

namespace weft {

/// Why lanes cannot be had in this build, or on this processor; nothing if they can.
std::optional<std::string> no_lanes();

/// Whether columns of `n` points are faster in lanes than those of FFTW.
bool are_lanes_worthwhile(std::int64_t n);

/// A kernel for c2c lines of worthwhile length that lie beside each other on one side at least, or
/// are longer than 240 points, no multiple of 16, and 16 or more: else FFTW is as fast, or faster.
/// Nothing for other lines.
std::unique_ptr<Kernel> make_lanes(const Lines& lines);

}  // namespace weft
