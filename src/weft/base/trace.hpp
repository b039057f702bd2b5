// base/trace: when each step of a run began and how long it took.
// Keeps: room is made at plan time, so that recording allocates nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "weft/base/simulation.hpp"

namespace weft {

/// Seconds on a clock that never goes back; the same zero for all processes of one machine.
inline double now() {
  if constexpr (is_simulated) return simulated_now();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Start and busy time of every step and item of the last run, and when a step was active: an
/// exchange, from when it could be stored to until the last of it was there.
class Trace {
 public:
  struct Span {
    double start = 0, seconds = 0;
    double active_from = 0, active_to = 0;
  };

  /// An item of work of a step.
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
  /// Adds `seconds` to `step`, which began at `start` unless it had begun before.
  void add(std::size_t step, double start, double seconds) {
    auto& span = spans_[step];
    if (span.start == 0) span.start = start;
    span.seconds += seconds;
  }
  void add_item(const Item& item) {
    add(item.step, item.start, item.seconds);
    items_.push_back(item);
  }
  /// The first time counts.
  void begin_activity(std::size_t step) {
    if (spans_[step].active_from == 0) spans_[step].active_from = now();
  }
  void end_activity(std::size_t step) {
    if (spans_[step].active_to == 0) spans_[step].active_to = now();
  }
  const std::vector<Span>& spans() const { return spans_; }
  /// In the order in which they ran.
  const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Span> spans_;
  std::vector<Item> items_;
};

}  // namespace weft
