// device/library_pass: a pass of a program on a device in which a library transforms, and kernels
// of weft's load and store where it cannot do so itself.
// Keeps: what a pass stores is what compute/pass stores, but for rounding. Nothing is made when it
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/device/device_pass.hpp"
#include "weft/device/library_room.hpp"
#include "weft/memory/addresses.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// The tiles of one pass of a sweep, which the library transforms along all axes of the pass, item
/// by item of the sweep, in one call each. Where an item is one tile that lies in one piece of an
/// array, in strides that the library knows, the library loads from the array, or stores to it;
/// what may destroy what it loads, as c2r, never loads from it. Elsewhere a kernel copies: an item
/// is loaded into the room, or stored from there. What the library stores to an array itself takes
/// a kernel of its own to be multiplied by other numbers than 1.
class LibraryPass {
 public:
  /// Pass `pass` of `sweep`. In the address table of its runs the buffer for lines is number
  /// `buffers`, behind those of the program. Tells `room`, which must outlive it, what it needs.
  /// Error::unsupported, with the reason, for what libraries do not transform
  /// (program/library_lines), and for more than three axes; errors of DeviceFft::make().
  LibraryPass(const SweepProgram& sweep, std::size_t pass, std::size_t buffers, LibraryRoom& room);

  /// Enqueues the tiles of item `item`. The buffers of the program are at `addresses`, which are
  /// also in `table`, in memory of the device. `scale`: as of DevicePass.
  void enqueue(std::size_t item, const Addresses& addresses, std::byte* const* table,
               double scale) const;

  /// Bytes of its tables on the device.
  std::int64_t table_bytes() const;

 private:
  // Where the library loads or stores: at some byte of a buffer of the program, or of the room.
  struct Place {
    std::optional<std::size_t> buffer;
    std::int64_t offset = 0;
  };
  struct Run {
    std::size_t transform = 0;
    Place in, out;
  };
  class Maker;

  std::byte* address(const Place& place, const Addresses& addresses) const;

  LibraryRoom* room_;
  double factor_;
  bool takes_scale_;
  std::vector<std::unique_ptr<DeviceTransform>> transforms_;
  std::vector<std::optional<Run>> runs_;  // by item; none: it has no points
  std::optional<DevicePass> load_, store_, multiply_;
};

}  // namespace weft
