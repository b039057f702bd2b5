// device/tile_slots: where tiles that stream through a device rest between the axes of a pass.
// Keeps: quiet execution - memory and events are made before the first run. The tiles of a slot
// follow each other in its stream, so that nothing else has to keep them apart.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/device/device_buffer.hpp"
#include "weft/device/device_queue.hpp"

namespace weft {

/// Some slots, each with a stream and two buffers on a device: one tile comes down while another
/// one is transformed, and a third one goes up.
class TileSlots {
 public:
  static constexpr int slots = 3, buffers = 2;

  /// The bytes of the largest tiles where all buffers may take `limit_bytes`.
  static std::int64_t tile_bytes(std::int64_t limit_bytes) {
    return limit_bytes / (slots * buffers);
  }

  /// All buffers take at most `limit_bytes`. `stream` is one of the application's, or null.
  TileSlots(const Device& device, void* stream, std::int64_t limit_bytes);
  TileSlots(const TileSlots&) = delete;
  TileSlots& operator=(const TileSlots&) = delete;
  ~TileSlots();

  /// Before allocate(): buffer `buffer` of each slot has so many bytes at least.
  void require(int buffer, std::int64_t bytes);
  /// Allocates the buffers, whose addresses stay. Error::system, with the bytes, if they exceed the
  /// limit or what the device has.
  void allocate();
  /// Bytes of all buffers.
  std::int64_t bytes() const;

  /// Where the ends of items are put together, and what comes before them is enqueued.
  DeviceQueue& queue() { return queue_; }
  std::byte* buffer(int slot, int buffer) const;
  DeviceStream stream(int slot) const { return streams_.at(static_cast<std::size_t>(slot)); }

  /// What follows in the slots comes after what is in the queue's stream.
  void follow();
  /// What follows in the queue's stream comes after what is in the slots.
  void join();
  /// Waits until all has happened, even if something has failed.
  void settle() noexcept;

 private:
  void destroy() noexcept;

  DeviceQueue queue_;
  std::int64_t limit_bytes_;
  std::array<std::int64_t, buffers> buffer_bytes_{};
  std::array<DeviceStream, slots> streams_;
  std::array<DeviceEvent, slots> ends_;
  DeviceEvent begin_;
  DeviceBuffer memory_;
};

}  // namespace weft
