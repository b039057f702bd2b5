// base/trace: records when each step of a run began and how long it took; on request, each task and
// wait, too. Keeps: memory is reserved before the runs that it records, so that recording allocates
// nothing.
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

  /// A task that was handed over, in a call of `call_seconds`, and has completed; 0: it has not.
  struct TaskTimes {
    double submitted = 0, call_seconds = 0, completed = 0;
  };

  /// A time without anything to do, which was over when `task` completed; nobody: the run was over.
  struct Idle {
    static constexpr int nobody = -1;
    int task;
    double start, end;
  };

  void resize(std::size_t steps, std::size_t items) {
    spans_.assign(steps, {});
    items_.reserve(items);
  }
  /// From now on, records so many tasks, and what the run waits for. Before that, both stay empty.
  void record_tasks(std::size_t tasks) {
    constexpr std::size_t waits_per_task = 4, more_waits = 64;
    tasks_.assign(tasks, {});
    waits_.reserve(waits_per_task * tasks + more_waits);
  }
  bool records_tasks() const { return !tasks_.empty(); }
  void clear() {
    for (auto& span : spans_) span = {};
    items_.clear();
    for (auto& task : tasks_) task = {};
    waits_.clear();
    unexplained_ = 0;
  }
  /// The task was handed over, from `began` until now. Only if tasks are recorded.
  void add_call(std::size_t task, double began) {
    tasks_[task].submitted = began;
    tasks_[task].call_seconds = now() - began;
  }
  /// The task has completed, and the waits before it are explained.
  void complete_task(std::size_t task) {
    if (tasks_.empty()) return;
    tasks_[task].completed = now();
    for (; unexplained_ < waits_.size(); ++unexplained_)
      waits_[unexplained_].task = static_cast<int>(task);
  }
  /// Adds a time without anything to do. One that follows another lengthens it. Drops what exceeds
  /// the reserved memory, which only idle times between the work of other runs can do.
  void add_idle(double start, double seconds) {
    if (tasks_.empty()) return;
    if (unexplained_ < waits_.size() && waits_.back().end >= start)
      waits_.back().end = start + seconds;
    else if (waits_.size() < waits_.capacity())
      waits_.push_back({Idle::nobody, start, start + seconds});
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
  /// By task; empty if they are not recorded.
  const std::vector<TaskTimes>& tasks() const { return tasks_; }
  /// In the order in which they began.
  const std::vector<Idle>& waits() const { return waits_; }

 private:
  std::vector<Span> spans_;
  std::vector<Item> items_;
  std::vector<TaskTimes> tasks_;
  std::vector<Idle> waits_;
  std::size_t unexplained_ = 0;  // the first wait that has not been explained
};

}  // namespace weft
