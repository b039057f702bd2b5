// support/engine_here: whether an engine can be used in this build and on this processor.
#pragma once

#include <algorithm>
#include <string>

#include "weft/fft/engine.hpp"

namespace weft::test {

/// Whether plans may ask for the engine `name`, which is in the table.
inline bool has_engine(const std::string& name) {
  const auto entry = std::ranges::find(engines(), name, &EngineEntry::name);
  return !entry->applies();
}

}  // namespace weft::test
