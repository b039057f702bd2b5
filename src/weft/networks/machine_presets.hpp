// networks/machine_presets: machines of papers, and examples.
// Pure.
#pragma once

#include <vector>

#include "weft/machine/machine_model.hpp"

namespace weft {

/// Each says where its figures are from.
const std::vector<MachineModel>& machine_presets();

}  // namespace weft
