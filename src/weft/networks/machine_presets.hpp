// networks/machine_presets: machines of papers, and examples.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "weft/machine/machine_model.hpp"

namespace weft {

/// Machines of papers, and examples, and where their numbers come from.
struct MachinePreset {
  std::string source;
  MachineModel machine;
};
const std::vector<MachinePreset>& machine_presets();

}  // namespace weft
