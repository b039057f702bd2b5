// program/schedule: which tasks of a program are ready, as others are submitted and complete.
// Pure: knows neither MPI nor memory. Keeps: quiet execution - a run allocates nothing; every task
// is submitted exactly once in a run.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/program/index.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Counts, for each task of a program, the waits that are not over. Used like this:
///
///     schedule.begin();                            // a run begins
///     while ((task = schedule.take_ready()) >= 0)  // anything but items
///       submit it; schedule.mark_completed(task) when it has completed
///     task = schedule.take_item();                 // the most urgent item that is ready
///     run it; schedule.mark_completed(task)
///
/// A task that is taken counts as submitted. The schedule submits and completes milestones itself,
/// and submits tasks `stored` itself.
///
/// Where a device computes, items are enqueued in a stream, which runs them in order, later. An
/// item that waits for another one is then ready once that one is *enqueued*, also through
/// milestones: the stream keeps the order. All other tasks wait, as ever, for what has completed.
class Schedule {
 public:
  /// Where items run: when they are taken, or later, in the order in which they are enqueued.
  enum class Items { run_at_once, are_enqueued };

  /// The schedule of no program.
  Schedule() = default;
  explicit Schedule(const Program& program, Items items = Items::run_at_once);

  /// Begins a run: no task has been submitted.
  void begin();
  /// Takes the task that became ready first, items excluded; of those that became ready together,
  /// the first of the program. -1 if there is none.
  int take_ready();
  /// Takes the most urgent item that is ready; of equally urgent ones the first of the program. -1
  /// if there is none.
  int take_item();
  /// The urgency of the item that take_item() would return: lower is more urgent. `none` if no item
  /// is ready.
  int urgency() const;
  /// Notes that a submitted item has been enqueued.
  void mark_enqueued(int task);
  /// Notes that a submitted task has completed; an item that is enqueued, after that.
  void mark_completed(int task);

  bool has_completed(int task) const { return state_[at(task)] == State::completed; }
  /// Whether all tasks have completed.
  bool is_done() const { return tasks_left_ == 0; }
  /// Whether nothing is left but the completion of items that are enqueued, and milestones and
  /// tasks `stored` that stand for these.
  bool is_enqueued() const { return unqueued_left_ == 0; }
  /// The number of milestones `arrived` of a step that have not completed yet.
  int arrivals_left(std::size_t step) const { return arrivals_left_[step]; }

  static constexpr int none = 1 << 30;

 private:
  enum class State : char { waits, submitted, enqueued, completed };
  // When a wait for a task is over.
  enum Event : std::size_t { on_submission, on_queueing, on_completion, events };
  template <class Count>
  void for_each_count(const Program& program, const Count& count) const;
  bool is_later(int a, int b) const;
  void count_down(int task, Event event);
  void make_ready(int task);
  void mark_submitted(int task);
  void complete(int task);

  const Program* program_ = nullptr;
  std::vector<int> urgency_;  // of items
  bool enqueues_ = false;     // items
  // What waits for `event` of task t begins at followers_[first_[events t + event]]: tasks, and
  // -1 - m for the completion of milestone m, where it is ready before it is complete.
  std::vector<std::size_t> first_;
  std::vector<int> followers_;
  // At the beginning of a run. holds_: what milestones wait for to complete.
  std::vector<int> waits_, holds_, arrivals_;
  std::size_t unqueued_ = 0;

  std::vector<int> waits_left_, holds_left_, arrivals_left_;
  std::vector<State> state_;
  std::vector<int> items_;  // ready items: a heap, the most urgent on top
  std::vector<int> ready_;  // all other tasks that became ready in this run, in this order
  std::size_t taken_ = 0;   // the number of tasks of ready_ that have been taken
  std::size_t tasks_left_ = 0, unqueued_left_ = 0;
};

}  // namespace weft
