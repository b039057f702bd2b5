// exchange/copy_queue: copies from a device, or to it, one after the other in a stream of their
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/device/device_marks.hpp"
#include "weft/exchange/device_messages.hpp"
#include "weft/memory/addresses.hpp"

namespace weft {

/// A run of bytes on a device and in its mirror, which is memory of the processor.
struct MirroredRun {
  /// A byte of a buffer, in the table of addresses of the device or of the mirror.
  struct Place {
    int buffer = 0;
    std::int64_t offset = 0;
  };
  Place device, mirror;
  std::int64_t bytes = 0;
};

/// What one stream copies in a run of a program.
class CopyQueue {
 public:
  enum Way { down, up };  ///< from the device; to the device

  /// At most `most` copies are added in a run. What `device` refers to must outlive the queue.
  CopyQueue(const DeviceMessages& device, Way way, std::size_t most);

  /// A run begins. Nothing is under way.
  void begin();
  /// Enqueues copy `number`, of all `runs`; there may be none. Does not wait.
  void add(int number, std::span<const MirroredRun> runs, const Addresses& device,
           const Addresses& mirror);
  /// The number of the next copy that has happened, in the order in which they were added; -1 if
  /// none has.
  int take() { return marks_.take(); }
  /// Waits until take() has a copy. One must be under way.
  void await_next() { marks_.await_next(); }
  bool is_empty() const { return marks_.is_empty(); }

 private:
  Way way_;
  const DeviceQueue* runs_;
  DeviceQueue queue_;  // which waits for all copies before it is destroyed
  DeviceMarks marks_;
};

}  // namespace weft
