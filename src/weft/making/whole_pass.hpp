// making/whole_pass: passes of one tile, which a library transforms from array to array.
// Pure: knows no memory, no FFT library.
#pragma once

#include "weft/program/program.hpp"

namespace weft {

/// Makes a pass one with a single tile. Nothing is prefetched for it, and its stores are the
/// library's.
void make_whole(PassSpec& spec);

/// Error::invalid unless the pass of `rank` is one tile of Fourier lines, all of whose points are
/// stored, in one piece of an array on both sides. It may also be empty.
void require_whole(const PassProgram& pass, int rank);

}  // namespace weft
