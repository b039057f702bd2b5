// device/device_queue: where a plan enqueues the work of a device: a stream of a device.
#pragma once

#include "weft/device/device.hpp"
#include "weft/device/stream_times.hpp"

namespace weft {

/// A stream of a device. Any thread may enqueue, one at a time.
class DeviceQueue {
 public:
  /// With a stream of its own, or, unless it is null, one of the application's, which outlives it.
  /// Its own is served before others if it is `urgent`. Error::invalid if the given one is no
  /// stream of this device, where the driver can tell.
  explicit DeviceQueue(const Device& device, void* stream = nullptr, bool urgent = false);
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  /// Waits until all that is in the stream has happened.
  ~DeviceQueue();

  /// Selects the device for the calling thread.
  void select() const { device_.driver->select(device_.number); }
  /// The driver, after that.
  DeviceDriver& driver() const {
    select();
    return *device_.driver;
  }
  const Device& device() const { return device_; }
  DeviceStream stream() const { return stream_; }

  /// Who times the runs of this queue, and the copies of their messages; null: nobody. They outlive
  /// the queue.
  StreamTimes* times() const { return times_; }
  void set_times(StreamTimes* times) { times_ = times; }

  /// Whether the stream is one of the application's.
  bool is_of_application() const { return is_given_; }

  /// Whether the application captures its stream in a graph.
  Capture capture() const { return is_given_ ? driver().capture_of(stream_) : Capture::none; }

  /// Marks the end of all that is enqueued. One mark at a time.
  void mark() { driver().record(stream_, end_); }
  /// Whether all before the last mark has happened.
  bool has_reached_mark() { return driver().has_happened(end_); }
  void await_mark() { driver().await(end_); }
  /// Waits until all that is in the stream has happened, even if something has failed. Not while it
  /// is captured, as that would make the capture invalid.
  void settle() noexcept;

 private:
  Device device_;
  bool is_given_;
  DeviceStream stream_;
  DeviceEvent end_;
  StreamTimes* times_ = nullptr;
};

}  // namespace weft
