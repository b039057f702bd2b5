// exchange/device_messages: how the messages of an exchange come from and to memory of a device.
#pragma once

#include <cstdint>

#include "weft/device/device_queue.hpp"

namespace weft {

/// The device in whose memory the buffers of an exchange are, and who copies. All ranks have the
/// same values, but for the device.
struct DeviceMessages {
  Device device;
  /// MPI reads and writes memory of the device itself, but for boxes with strides (message_route).
  /// Else weft copies what is sent to registered memory of the processor, and what is received from
  /// there.
  bool direct = false;
  /// What is copied is cut into pieces of so many bytes at most, so that one is on its way while
  /// the next one is copied. Copying 2 MiB over PCIe 5 takes about 40 us.
  std::int64_t piece_bytes = std::int64_t{2} << 20;
  /// The queue of the runs, whose times have the copies; null: nobody times them.
  const DeviceQueue* runs = nullptr;
};

}  // namespace weft
