// problem/ghosts: which points fill the ghost points of every box, as parts of a grid of their own.
// Pure: no MPI, no memory.
#pragma once

#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/problem.hpp"

namespace weft {

/// Ghost points, and the points that have their values. In the grid of these parts, axis 0 counts
/// all boxes of all ranks, and the other axes are those of the box with its ghost points: so a
/// point that several boxes need is several points.
struct GhostParts {
  Extents extents;
  Distribution from, to;
};

/// The ghost parts of the boxes of `at`, which lie in arrays as `storage` says. There are at most
/// as many ghost points along an axis as the axis has points. Along axes that are `periodic`, the
/// first point follows the last.
GhostParts ghost_parts(const Decomposition& at, const Storage& storage,
                       const std::vector<bool>& periodic);

}  // namespace weft
