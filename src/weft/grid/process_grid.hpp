// grid/process_grid: the process grids that a number of pieces can form.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box.hpp"
#include "weft/process_grid.hpp"

namespace weft {

/// Every way to write `count` as a product of `axes` factors, in lexicographic order, largest
/// first factors first.
std::vector<Dims> factorizations(std::int64_t count, int axes);

/// The factorization of `count` over the axes of `extents` whose blocks have the least surface,
/// so that bricks are as cubic as they can be. Only axes named in `allowed` are divided.
Dims balanced_factorization(std::int64_t count, const Extents& extents,
                            const std::vector<int>& allowed);

}  // namespace weft
