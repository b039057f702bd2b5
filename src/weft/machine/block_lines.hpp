// machine/block_lines: which lines a block of a device's threads can hold, and by which radix steps
// it transforms them.
// Pure: a planner asks before there is a device. Keeps: device/line_shape launches what fits here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/machine/block_limits.hpp"

namespace weft {

/// The radices of the steps for `points` points, the longest first. Empty, but for one point, if
/// there are prime factors above 13.
std::vector<int> device_radices(std::int64_t points);

/// The radix steps of a line.
struct BlockSteps {
  std::int64_t points = 1;  ///< of the steps: not those of the line if it is a convolution
  std::vector<int> radices;
};

/// The steps of a line of `points` complex numbers of `number_bytes` bytes, whose points and
/// butterflies a block can hold; nothing if there are none.
std::optional<BlockSteps> block_steps(std::int64_t points, std::int64_t number_bytes,
                                      const BlockLimits& limits);

/// Threads that hold all points of so many butterflies of a step.
std::int64_t threads_for(std::int64_t butterflies, int radix);
/// Threads for `lines` lines of `stored` numbers: a multiple of a warp.
std::int64_t block_threads(std::int64_t lines, std::int64_t stored, const BlockSteps& steps,
                           int warp);
/// The numbers that a line takes in the memory that threads share, of which `loaded` are loaded.
std::int64_t block_numbers(std::int64_t points, std::int64_t loaded, const BlockSteps& steps);

/// Whether a block can transform a line of `points` complex numbers of `number_bytes` bytes.
bool block_holds(std::int64_t points, std::int64_t number_bytes, const BlockLimits& limits);

}  // namespace weft
