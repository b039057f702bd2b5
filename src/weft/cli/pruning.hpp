// cli/pruning: what `--modes`, `--pad` and `--support` mean.
// Pure: no MPI, no files.
#pragma once

#include <string>

#include "weft/model/problem.hpp"

namespace weft::cli {

/// The texts of the options; empty where they are not given.
struct PruningTexts {
  std::string modes, pad, support;
};

/// Sets modes and support of `problem`, whose extents are known; with `pad` these are the modes,
/// and become those of the grid. Error::invalid for texts that are no extents, for a factor below 1
/// or above 1000, and for modes beside a factor.
void prune(Problem& problem, const PruningTexts& texts);

}  // namespace weft::cli
