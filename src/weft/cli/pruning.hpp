// cli/pruning: what `--modes`, `--pad`, `--support` and `--cutoff` mean.
// Pure: no MPI, no files.
#pragma once

#include <string>

#include "weft/problem/validated.hpp"

namespace weft::cli {

/// The texts of the options; empty where they are not given.
struct PruningTexts {
  std::string modes, pad, support, cutoff;
};

/// Sets modes, support and cut-off of `problem`, whose extents are known; with `pad` these are the
/// modes, and become those of the grid. Error::invalid for texts that are no extents or no radius,
/// for a factor below 1 or above 1000, and for more than one of modes, factor and cut-off.
void prune(Problem& problem, const PruningTexts& texts);

}  // namespace weft::cli
