// replay/event_queue: the clock of a replay, and the events that are still to come.
// Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <tuple>

namespace weft {

/// Something that happens to a rank of a replay.
struct ReplayEvent {
  enum Kind {
    part,      ///< of the item of `rank`: the part `number` is complete
    sent,      ///< MPI has taken the data of transfer `number`, which is eager
    flows,     ///< the data of transfer `number` leave
    received,  ///< transfer `number` is handled by its receiver
    seen       ///< `rank` has seen the signal that its task `number` awaits
  };
  double time;
  std::int64_t order;  ///< in which events were made
  Kind kind;
  int rank, number;

  /// For the queue, whose top is its largest element.
  bool operator<(const ReplayEvent& other) const {
    return std::tie(other.time, other.order) < std::tie(time, order);
  }
};

/// Events in the order of their times; of equal times, in the order in which they were made.
class EventQueue {
 public:
  /// The time of the replay, in seconds.
  double now() const { return now_; }
  bool is_empty() const { return events_.empty(); }
  /// Infinity if there is no event.
  double next_time() const {
    return is_empty() ? std::numeric_limits<double>::infinity() : events_.top().time;
  }
  void push(double time, ReplayEvent::Kind kind, int rank, int number) {
    events_.push({time, next_order_++, kind, rank, number});
  }
  /// Removes the next event. It is its time now.
  ReplayEvent take() {
    const ReplayEvent event = events_.top();
    events_.pop();
    now_ = event.time;
    return event;
  }
  /// Lets the time go on to `time`, before which there is no event.
  void go_on_to(double time) { now_ = time; }

 private:
  std::priority_queue<ReplayEvent> events_;
  std::int64_t next_order_ = 0;
  double now_ = 0;
};

}  // namespace weft
