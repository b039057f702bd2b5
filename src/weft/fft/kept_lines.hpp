// fft/kept_lines: transforms of lines of which not all points are stored.
// Some lines at a time are copied to a buffer that has zeros for the other points, transformed to a
// second buffer, and copied from there as far as they are kept. Both buffers fit the caches of a
// core, so memory sees what is stored only. Long contiguous lines need no buffer on a side where
// all points are stored. How many lines are transformed together depends on their length alone, so
// what becomes of a line does not depend on how many there are.
#pragma once

#include <memory>

#include "weft/fft/engine.hpp"

namespace weft {

/// A kernel of `engine` for any lines, those with Lines::kept included. Errors: see Engine::make.
std::unique_ptr<Kernel> make_kernel(Engine& engine, const Lines& lines, void* in, void* out,
                                    Effort effort);

}  // namespace weft
