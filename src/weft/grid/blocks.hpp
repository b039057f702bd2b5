// grid/blocks: cutting a box into blocks that several passes can walk one after another.
// Keeps: no block cuts a tile; blocks are whole along every axis that some pass needs whole.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/tiling.hpp"

namespace weft {

/// A box cut along each axis; the blocks are numbered row-major.
struct Blocks {
  std::vector<std::vector<Range>> ranges;

  std::size_t count() const;
  /// The block that holds `point`. Along whole axes, any index does.
  std::size_t number_of(const Dims& point) const;
  /// Of the largest block.
  std::int64_t points() const;
};

/// The smallest blocks of `box` that are whole along `whole_axes`, and elsewhere are cut only where
/// all of `tilings` are.
Blocks blocks_around(const Box& box, const std::vector<int>& whole_axes,
                     const std::vector<TileRanges>& tilings);

}  // namespace weft
