// device/program_lines: whether devices can run the passes of a program, and how their lines.
// Pure: makes no call of a driver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/machine/block_limits.hpp"
#include "weft/program/program.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// Empty if a device with these limits can run all passes, each of which has one axis, else the
/// reason why not.
std::optional<std::string> why_not_on_device(const Program& program, const BlockLimits& limits);

/// How a block with these limits does Fourier's transform of a line of `points` complex numbers, or
/// real ones: not at all, as a convolution, or by radix steps.
enum class BlockTransform { none, convolution, steps };
BlockTransform block_transform(std::int64_t points, bool of_reals, Precision precision,
                               const BlockLimits& limits);

}  // namespace weft
