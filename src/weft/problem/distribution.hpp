// problem/distribution: how a field is distributed over ranks; the question itself is weft/problem.
// Pure.
#pragma once

#include <string>

#include "weft/grid/decomposition.hpp"
#include "weft/problem.hpp"

namespace weft {

/// Error::invalid, with the numbers, if a field of these extents cannot be distributed so. `name`
/// is "input" or "output".
void check_distribution(const Distribution& distribution, const Extents& extents,
                        const std::string& name);

/// Error::invalid unless `grid` has exactly one piece for each of `count` ranks, or of the things
/// that `what` names, and each part is at least 1.
void check_grid(const Dims& grid, int count, const std::string& what = "rank");

/// The decomposition a distribution means for `extents` over `ranks`; not for free and same.
Decomposition resolve(const Distribution& distribution, const Extents& extents, int ranks,
                      const std::string& name);

}  // namespace weft
