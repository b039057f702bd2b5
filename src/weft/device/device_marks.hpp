// device/device_marks: which of the things that were enqueued in a stream have happened.
// Keeps: quiet execution - only the constructor makes events; asking costs one call of the driver.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/device/device_queue.hpp"

namespace weft {

/// Numbers of what is enqueued in the stream of a queue, and the events after each.
class DeviceMarks {
 public:
  /// At most `most` marks are added between two calls of begin(). `queue` must outlive them.
  /// Error::system if the driver makes no more events.
  DeviceMarks(DeviceQueue& queue, std::size_t most);
  DeviceMarks(const DeviceMarks&) = delete;
  DeviceMarks& operator=(const DeviceMarks&) = delete;
  ~DeviceMarks();

  /// Forgets all marks.
  void begin();
  /// What has been enqueued since the last mark has this number.
  void add(int number);
  /// The number of the next thing that has happened, in the order in which they were enqueued; -1
  /// if it has not.
  int take();
  /// Waits until take() has one. There must be one that has not been taken.
  void await_next();
  /// Whether all have been taken.
  bool is_empty() const { return taken_ == numbers_.size(); }

 private:
  void destroy_events() noexcept;

  DeviceQueue* queue_;
  std::vector<DeviceEvent> events_;  // by the place of a mark
  std::vector<int> numbers_;         // the same
  std::size_t taken_ = 0;
};

}  // namespace weft
