// grid/factorizations: the process grids that a number of pieces can form.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box_algebra.hpp"
#include "weft/process_grid.hpp"

namespace weft {

/// The number of axes along which `parts` divides a grid.
int divided_axes(const Dims& parts);

/// Every way to write `count` as a product of `axes` factors, in descending lexicographic order.
std::vector<Dims> factorizations(std::int64_t count, int axes);

/// The factorization of `count` over the axes of `extents` whose pieces have the smallest surface,
/// so that bricks are as nearly cubic as possible. Only the axes in `allowed` are divided.
Dims balanced_factorization(std::int64_t count, const Extents& extents,
                            const std::vector<int>& allowed);

}  // namespace weft
