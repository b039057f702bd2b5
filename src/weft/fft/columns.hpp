// fft/columns: weft's own transforms of columns, several at once, one in each lane of a vector.
// Nothing is shuffled but real and imaginary parts as they come in and go out. Faster than FFTW's
// for AVX where the processor has the 32 registers of AVX-512: 0.5 to 0.8 of the time (single
// precision: 0.2 to 0.6), since Debian's FFTW knows no FMA.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "weft/fft/engine.hpp"

namespace weft {

/// Why columns cannot be had in this build, or on this processor; nothing if they can.
std::optional<std::string> no_columns();

/// Whether columns of `n` points are faster than those of FFTW.
bool are_columns_worthwhile(std::int64_t n);

/// A kernel for c2c columns of worthwhile length, at least four beside each other: one of the loops
/// has stride 1 on both sides. Nothing for other lines.
std::unique_ptr<Kernel> make_columns(const Lines& lines);

}  // namespace weft
