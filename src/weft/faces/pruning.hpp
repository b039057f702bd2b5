// faces/pruning: the texts for modes, padding, support and cut-off.
// Pure: no MPI, no files.
#pragma once

#include <string>

#include "weft/problem/validated.hpp"

namespace weft {

/// Empty where they are not given.
struct PruningTexts {
  std::string modes, pad, support, cutoff;
};

/// Sets modes, support and cut-off of `problem`, whose extents are known; with `pad` these are the
/// modes, and become those of the grid. Error::invalid for texts that are no extents or no radius,
/// for a factor below 1 or above 1000, and for more than one of modes, factor and cut-off; it names
/// them with `prefix` before their names.
void prune(Problem& problem, const PruningTexts& texts, const std::string& prefix = "");

}  // namespace weft
