// device/device_queue: makes the stream, and ends it.

#include "weft/device/device_queue.hpp"

namespace weft {

DeviceQueue::DeviceQueue(const Device& device)
    : device_(device), stream_(driver().make_stream(0)), end_(driver().make_event()) {}

// A failure of the device has been told by whoever asked for the results.
DeviceQueue::~DeviceQueue() {
  try {
    driver().await(stream_);
  } catch (...) {
  }
  device_.driver->destroy(stream_);
  device_.driver->destroy(end_);
}

}  // namespace weft
