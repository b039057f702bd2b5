// device/device_queue: where a plan enqueues the work of a device: a stream of a device.
#pragma once

#include "weft/device/device.hpp"

namespace weft {

/// A stream of a device. Any thread may enqueue, one at a time.
class DeviceQueue {
 public:
  explicit DeviceQueue(const Device& device);
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  /// Waits until all that is enqueued has happened.
  ~DeviceQueue();

  /// The driver, after it has selected the device for the calling thread.
  DeviceDriver& driver() const {
    device_.driver->select(device_.number);
    return *device_.driver;
  }
  const Device& device() const { return device_; }
  DeviceStream stream() const { return stream_; }

  /// Marks the end of all that is enqueued. One mark at a time.
  void mark() { driver().record(stream_, end_); }
  /// Whether all before the last mark has happened.
  bool has_reached_mark() { return driver().has_happened(end_); }

 private:
  Device device_;
  DeviceStream stream_;
  DeviceEvent end_;
};

}  // namespace weft
