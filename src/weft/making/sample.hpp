// making/sample: a part of a sweep, in memory of its own, that takes about as long per point as
// the whole sweep.
// Pure: knows no memory, no FFT library.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// Some grains of a sweep, with as many buffers of its own as the sweep has; of a plan in place,
/// the user's two are one. No patch is a message.
struct Sample {
  SweepProgram sweep;
  std::vector<std::int64_t> buffers;  ///< where each begins, in bytes
  std::int64_t bytes = 0;             ///< of all buffers
  std::int64_t whole_bytes = 0;       ///< about as many as all grains would take

  friend bool operator==(const Sample&, const Sample&) = default;
};

/// The first grains of `sweep`, in the order of their corners, that load `least_bytes`, or all if
/// there are not so many. Patches are cut to the boxes of these grains and pushed together: the
/// order of their axes in memory stays, and so do the strides along axes that are not cut, unless
/// the patches are parts of much larger arrays: a sample takes at most a few times the memory of
/// its points, and as many pages as its rows. `in_place`: the user's two arrays, of a sweep that is
/// no sample, are one.
Sample sample_of(const SweepProgram& sweep, std::int64_t least_bytes, bool in_place = false);

}  // namespace weft
