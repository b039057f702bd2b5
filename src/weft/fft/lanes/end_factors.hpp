// fft/lanes/end_factors: a kernel that multiplies the first and the last value of every line,
// before and after another kernel has run.
#pragma once

#include <memory>

#include "weft/fft/engine.hpp"

namespace weft {

/// `kernel` itself, unless `lines` are r2r and their ends have factors.
std::unique_ptr<Kernel> with_end_factors(std::unique_ptr<Kernel> kernel, const Lines& lines);

}  // namespace weft
