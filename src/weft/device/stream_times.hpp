// device/stream_times: when the streams of a device did what, by the device's own clock.
// Keeps: events are made before the runs that they time. A run that is not timed records none.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/device/device.hpp"

namespace weft {

/// Something that a stream did.
struct StreamSpan {
  enum Work { passes, copy_down, copy_up };  ///< copies are from the device, or to it
  Work work = passes;
  int step = -1;                  ///< of the program: passes only
  std::int64_t bytes = 0;         ///< that were copied
  double start = 0, seconds = 0;  ///< start: on the clock of weft::now()

  friend bool operator==(const StreamSpan&, const StreamSpan&) = default;
};

/// How long a device was copying, and how long it computed meanwhile.
struct CopyTimes {
  double seconds = 0, hidden_seconds = 0;
};
CopyTimes copy_times(const std::vector<StreamSpan>& spans);

/// Times what is enqueued in the streams of a device during a run. Not thread-safe.
class StreamTimes {
 public:
  /// For at most `most` spans a run. Error::system if the driver makes no more events.
  StreamTimes(const Device& device, std::size_t most);
  StreamTimes(const StreamTimes&) = delete;
  StreamTimes& operator=(const StreamTimes&) = delete;
  ~StreamTimes();

  /// Nothing is known of the last run.
  void forget() { has_begun_ = false; }
  /// A run begins, whose first work is enqueued in this stream.
  void begin(DeviceStream stream);
  /// What is enqueued from here on to close() is a span; one at a time. `start` and `seconds` are
  /// not read. Returns false, and close() must not follow, if there have been too many.
  bool open(DeviceStream stream, const StreamSpan& span);
  void close(DeviceStream stream);

  /// The spans of the last run, in the order in which they were enqueued. None if they are not
  /// known: something has not happened yet, or there were too many.
  std::vector<StreamSpan> spans() const;

 private:
  void destroy_events() noexcept;

  Device device_;
  DeviceEvent origin_;
  std::vector<DeviceEvent> events_;  // two of each span
  std::vector<StreamSpan> spans_;
  double begun_ = 0;
  bool has_begun_ = false, is_complete_ = true;
};

/// Calls enqueue(), and times it as a span if there are `times`.
template <class Enqueue>
void timed(StreamTimes* times, DeviceStream stream, const StreamSpan& span,
           const Enqueue& enqueue) {
  const bool is_open = times != nullptr && times->open(stream, span);
  enqueue();
  if (is_open) times->close(stream);
}

}  // namespace weft
