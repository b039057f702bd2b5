// device/program_lines: asks device/device_pass of each pass.

#include "weft/device/program_lines.hpp"

#include "weft/device/device_pass.hpp"
#include "weft/device/line_shape.hpp"

namespace weft {

std::optional<std::string> why_not_on_device(const Program& program, const BlockLimits& limits) {
  for (const SweepProgram& sweep : program.sweeps)
    for (const PassProgram& pass : sweep.passes)
      if (auto reason = DevicePass::why_not(pass.spec, limits)) return reason;
  return std::nullopt;
}

BlockTransform block_transform(std::int64_t points, bool of_reals, Precision precision,
                               const BlockLimits& limits) {
  LineWork work;
  work.form = of_reals ? LineForm::r2c : LineForm::c2c;
  work.precision = precision;
  work.points = points;
  const std::optional<LineLaunch> launch = line_launch(work, limits);
  if (!launch) return BlockTransform::none;
  return launch->shape.is_convolution() ? BlockTransform::convolution : BlockTransform::steps;
}

}  // namespace weft
