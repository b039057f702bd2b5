// device/library_room: the memory in which a library of transforms works, for one slot of a plan.
// Keeps: quiet execution - memory is allocated before the first run. The transforms of a slot
// follow each other in its stream, so that nothing else has to keep them apart.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/device/device_buffer.hpp"
#include "weft/device/device_fft.hpp"
#include "weft/device/device_queue.hpp"

namespace weft {

/// One buffer for lines on their way to the library and back, and one that the library works in.
class LibraryRoom {
 public:
  /// The library of the device of `queue`, which must outlive this. Both buffers may take
  /// `limit_bytes`. Error::unsupported if the library is not here.
  LibraryRoom(DeviceQueue& queue, std::int64_t limit_bytes);

  DeviceQueue& queue() const { return *queue_; }
  const DeviceFft& library() const { return *library_; }
  /// A transform in the stream of the queue, which has its workspace after allocate(). Errors as of
  /// DeviceFft::make().
  std::unique_ptr<DeviceTransform> make(const Lines& lines);
  /// Before allocate(): the buffer for lines has so many bytes at least.
  void require(std::int64_t bytes);
  /// Allocates both buffers, whose addresses stay. Error::system, with the bytes, if they exceed
  /// the limit or what the device has.
  void allocate();
  /// The buffer for lines; null if there is none.
  std::byte* lines() const { return static_cast<std::byte*>(memory_.data()); }
  /// Bytes of both buffers.
  std::int64_t bytes() const { return line_bytes_ + workspace_bytes_; }

 private:
  DeviceQueue* queue_;
  DeviceFft* library_;
  std::int64_t limit_bytes_;
  std::int64_t line_bytes_ = 0, workspace_bytes_ = 0;
  std::vector<DeviceTransform*> transforms_;  // until allocate()
  DeviceBuffer memory_;
};

}  // namespace weft
