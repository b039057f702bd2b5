// device/program_lines: whether devices can run the passes of a program.
// Pure: makes no call of a driver.
#pragma once

#include <optional>
#include <string>

#include "weft/machine/block_limits.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Empty if a device with these limits can run all passes, each of which has one axis, else the
/// reason why not.
std::optional<std::string> why_not_on_device(const Program& program, const BlockLimits& limits);

}  // namespace weft
