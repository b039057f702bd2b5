// device/streamed_pass: a pass over memory of the processor that a device computes, tile by tile.
// Keeps: what a pass stores is what compute/pass stores, but for rounding. Nothing is made when it
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/device/device_pass.hpp"
#include "weft/device/tile_slots.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// The tiles of one pass of a sweep. Kernels load them from registered memory of the processor and
/// store them there, wherever the patches lie. Of a pass of several axes, a kernel for the first
/// axis loads a tile into a slot, others transform it there, and that of the last axis stores it,
/// while other slots hold other tiles.
class StreamedPass {
 public:
  /// Pass `pass` of `sweep`. The address table of its runs has the buffers of the program, which
  /// are `buffers`, and behind them those of the slots: buffer b of slot s is number
  /// buffers + s TileSlots::buffers + b. Tells `slots` what it needs. Error::unsupported for a line
  /// that no block of threads can transform (DevicePass::why_not).
  StreamedPass(const SweepProgram& sweep, std::size_t pass, std::size_t buffers, TileSlots& slots);

  /// Enqueues the tiles of item `item` in the streams of the slots. `addresses` and `scale`: as of
  /// DevicePass.
  void enqueue(TileSlots& slots, std::size_t item, std::byte* const* addresses, double scale) const;

  /// Bytes of its tables on the device.
  std::int64_t table_bytes() const;
  /// Bytes that its items load from memory of the processor and store there.
  std::int64_t moved_bytes() const { return moved_bytes_; }

 private:
  void add_legs(const PassSpec& spec, std::vector<Tile> tiles, std::size_t buffers,
                TileSlots& slots);

  // One, of whole items; or one for each axis, of single tiles.
  std::vector<DevicePass> legs_;
  std::vector<std::size_t> first_tiles_;  // of every item, and of none
  std::int64_t moved_bytes_ = 0;
};

}  // namespace weft
