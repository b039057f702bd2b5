// base/trace: records when each step of a run began and how long it took.
// Keeps: memory is reserved when a plan is made, so that recording allocates nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "weft/base/simulation.hpp"

namespace weft {

/// Seconds on a monotonic clock, which all processes of one machine share.
inline double now() {
  if (is_simulated) return simulated_now();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Start and busy time of every step and item of the last run. Exchanges also have an active time:
/// from when the first part could be stored until the last message had arrived.
class Trace {
 public:
  struct Span {
    double start = 0, seconds = 0;
    double active_from = 0, active_to = 0;
  };

  /// One run of an item of work, which belongs to a step.
  struct Item {
    std::size_t step, item;
    double start, seconds;
  };

  void resize(std::size_t steps, std::size_t items) {
    spans_.assign(steps, {});
    items_.reserve(items);
  }
  void clear() {
    for (auto& span : spans_) span = {};
    items_.clear();
  }
  /// Adds `seconds` to the busy time of `step`; the first call also sets its start.
  void add(std::size_t step, double start, double seconds) {
    auto& span = spans_[step];
    if (span.start == 0) span.start = start;
    span.seconds += seconds;
  }
  void add_item(const Item& item) {
    add(item.step, item.start, item.seconds);
    items_.push_back(item);
  }
  /// Only the first call of a run sets the time.
  void begin_activity(std::size_t step) {
    if (spans_[step].active_from == 0) spans_[step].active_from = now();
  }
  void end_activity(std::size_t step) {
    if (spans_[step].active_to == 0) spans_[step].active_to = now();
  }
  const std::vector<Span>& spans() const { return spans_; }
  /// In the order in which the items ran.
  const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Span> spans_;
  std::vector<Item> items_;
};

}  // namespace weft
