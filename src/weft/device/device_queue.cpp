// device/device_queue: makes the stream, and ends it.

#include "weft/device/device_queue.hpp"

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

DeviceStream checked(DeviceStream given, DeviceDriver& driver) {
  const std::string why_not = driver.why_not_in(given);
  if (why_not.empty() && driver.capture_of(given) != Capture::none)
    throw Error(Error::invalid, "the stream that is given is captured in a graph",
                "make plans before a capture begins, as they allocate memory");
  if (why_not.empty()) return given;
  throw Error(Error::invalid,
              fmt::format("the stream that is given cannot be used on device {}: {}",
                          driver.selected(), why_not),
              "Options::stream is a stream of the device that this rank computes on, which "
              "Options::device names");
}

}  // namespace

DeviceQueue::DeviceQueue(const Device& device, void* stream, bool urgent)
    : device_(device),
      is_given_(stream != nullptr),
      stream_(is_given_ ? checked({stream}, driver()) : driver().make_stream(urgent ? 1 : 0)),
      end_(driver().make_event()) {}

// A failure of the device is told by whoever asks for the results.
void DeviceQueue::settle() noexcept {
  try {
    if (capture() != Capture::none) return;
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
