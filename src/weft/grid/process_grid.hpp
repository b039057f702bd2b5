// grid/process_grid: ranks arranged on the axes of the grid.
// Keeps: rank order is row-major, the last axis fastest.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/dims.hpp"
#include "weft/grid/box.hpp"

namespace weft {

/// Ranks arranged on axes: parts[a] of them along axis a. Ranks from count() on own nothing.
struct ProcessGrid {
  Dims parts;

  std::int64_t count() const { return volume(parts); }
  /// Coordinates of `rank`, which is below count().
  Dims coordinates(std::int64_t rank) const;
  std::int64_t rank(const Dims& coordinates) const;
  /// The region of a grid of `extents` that `rank` owns; empty from count() on.
  Box box(const Extents& extents, std::int64_t rank) const;

  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

/// Every way to write `count` as a product of `axes` factors, in lexicographic order, largest
/// first factors first.
std::vector<Dims> factorizations(std::int64_t count, int axes);

/// The factorization of `count` over the axes of `extents` whose blocks have the least surface,
/// so that bricks are as cubic as they can be. Only axes named in `allowed` are divided.
Dims balanced_factorization(std::int64_t count, const Extents& extents,
                            const std::vector<int>& allowed);

}  // namespace weft
