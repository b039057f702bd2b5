// grid/blocks: cuts a box into blocks, each of which several passes can process in turn.
// Keeps: no block divides a tile; a block spans every axis that one of the passes needs whole.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/tiling.hpp"

namespace weft {

/// A box cut along each axis. The blocks are numbered in row-major order.
struct Blocks {
  std::vector<std::vector<Range>> ranges;

  std::size_t count() const;
  /// The block that contains `point`. Along an axis that is not cut, the index does not matter.
  std::size_t number_of(const Dims& point) const;
  /// Number of points of the largest block.
  std::int64_t points() const;

  friend bool operator==(const Blocks&, const Blocks&) = default;
};

/// The smallest blocks of `box` that span `whole_axes` and that are cut along the other axes only
/// where all `tilings` have an edge.
Blocks blocks_around(const Box& box, const std::vector<int>& whole_axes,
                     const std::vector<TileRanges>& tilings);

}  // namespace weft
