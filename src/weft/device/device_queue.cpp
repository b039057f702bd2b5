// device/device_queue: makes the stream, and ends it.

#include "weft/device/device_queue.hpp"

namespace weft {

DeviceQueue::DeviceQueue(const Device& device, void* stream, bool urgent)
    : device_(device),
      is_given_(stream != nullptr),
      stream_(is_given_ ? DeviceStream{stream} : driver().make_stream(urgent ? 1 : 0)),
      end_(driver().make_event()) {}

// A failure of the device is told by whoever asks for the results.
void DeviceQueue::settle() noexcept {
  try {
    mark();
    await_mark();
  } catch (...) {
  }
}

DeviceQueue::~DeviceQueue() {
  settle();
  if (!is_given_) device_.driver->destroy(stream_);
  device_.driver->destroy(end_);
}

}  // namespace weft
