// device/line_kernel: loads tiles of adjacent lines from wherever they lie, transforms them in
// registers and in the memory that the threads of a block share, and stores them to wherever they
// go: one walk over memory.
#pragma once

#include "weft/device/line_copies.hpp"
#include "weft/device/line_steps.hpp"

namespace weft::device_lanes {

template <class Real, class Group>
WEFT_INLINE void run_tile(const LineTileView<Real, Group>& view) {
  const LineEnds<Real, Group> ends(view);
  const LineCopies<Real, Group> copies(view, ends);
  copies.load();
  view.group.sync();
  ends.prepare();
  LineSteps<Real, Group>(view).run();
  copies.store();
  view.group.sync();
}

/// All tiles, which the blocks share out.
template <class Real, class Group>
WEFT_INLINE void run_lines(const Group& group, const LineArguments<Real>& arguments) {
  const LineTile* const tiles = group.of_device(arguments.tiles) + arguments.first_tile;
  for (std::int64_t tile = group.block(); tile < arguments.tile_count; tile += group.blocks())
    run_tile(LineTileView<Real, Group>{group, arguments, arguments.shape, tiles[tile]});
}

}  // namespace weft::device_lanes
