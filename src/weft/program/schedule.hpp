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
class Schedule {
 public:
  /// The schedule of no program.
  Schedule() = default;
  explicit Schedule(const Program& program);

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
  /// Notes that a submitted task has completed.
  void mark_completed(int task);

  bool has_completed(int task) const { return state_[at(task)] == State::completed; }
  /// Whether all tasks have completed.
  bool is_done() const { return tasks_left_ == 0; }
  /// The number of milestones `arrived` of a step that have not completed yet.
  int arrivals_left(std::size_t step) const { return arrivals_left_[step]; }

  static constexpr int none = 1 << 30;

 private:
  enum class State : char { waits, submitted, completed };
  bool is_later(int a, int b) const;
  void count_down(std::size_t first, std::size_t last);
  void make_ready(int task);
  void mark_submitted(int task);

  const Program* program_ = nullptr;
  std::vector<int> urgency_;  // of items
  // The tasks that wait for task t to be submitted begin at followers_[first_[2 t]], those that
  // wait for it to complete at followers_[first_[2 t + 1]].
  std::vector<std::size_t> first_;
  std::vector<int> followers_;
  std::vector<int> waits_, arrivals_;  // at the beginning of a run

  std::vector<int> waits_left_, arrivals_left_;
  std::vector<State> state_;
  std::vector<int> items_;  // ready items: a heap, the most urgent on top
  std::vector<int> ready_;  // all other tasks that became ready in this run, in this order
  std::size_t taken_ = 0;   // the number of tasks of ready_ that have been taken
  std::size_t tasks_left_ = 0;
};

}  // namespace weft
