// device/program_lines: asks device/device_pass of each pass.

#include "weft/device/program_lines.hpp"

#include "weft/device/device_pass.hpp"

namespace weft {

std::optional<std::string> why_not_on_device(const Program& program, const BlockLimits& limits) {
  for (const SweepProgram& sweep : program.sweeps)
    for (const PassProgram& pass : sweep.passes)
      if (auto reason = DevicePass::why_not(pass.spec, limits)) return reason;
  return std::nullopt;
}

}  // namespace weft
