// run/schedule: which tasks of a program are ready, as others are submitted and complete. Pure:
// knows neither MPI nor memory. Keeps: quiet execution - a run allocates nothing; every task is
// submitted once.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

/// Counts down what each task of a program waits for:
///
///     schedule.begin();                            // a run begins
///     while ((task = schedule.take_ready()) >= 0)  // anything but items
///       submit it; schedule.completed(task) when it has completed
///     task = schedule.take_item();                 // the most urgent item that is ready
///     run it; schedule.completed(task)
///
/// What is taken counts as submitted. Milestones, and tasks `stored` as long as they are only
/// submitted, are dealt with here.
class Schedule {
 public:
  explicit Schedule(const Program& program);

  void begin();
  /// A task that is ready and is no item, in the order in which they became so; -1: there is none.
  int take_ready();
  /// The most urgent item that is ready, of equals the first of the program; -1: there is none.
  int take_item();
  /// Urgency of what take_item() would return, lower is sooner; `none` if nothing is ready.
  int urgency() const;
  void completed(int task);

  bool has_completed(int task) const { return state_[at(task)] == State::completed; }
  bool is_done() const { return tasks_left_ == 0; }
  /// Milestones `arrived` of a step that have yet to complete.
  int arrivals_left(std::size_t step) const { return arrivals_left_[step]; }

  static constexpr int none = 1 << 30;

 private:
  enum class State : char { waits, submitted, completed };
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  bool is_later(int a, int b) const;
  void count_down(std::size_t first, std::size_t last);
  void make_ready(int task);
  void submitted(int task);

  const Program* program_;
  std::vector<int> urgency_;  // of items
  // Tasks that wait for task t to be submitted: followers_[first_[2 t]] and on; to complete:
  // followers_[first_[2 t + 1]] and on.
  std::vector<std::size_t> first_;
  std::vector<int> followers_;
  std::vector<int> waits_, arrivals_;  // at the beginning of a run

  std::vector<int> waits_left_, arrivals_left_;
  std::vector<State> state_;
  std::vector<int> items_;  // ready: a heap, the most urgent on top
  std::vector<int> ready_;  // all others that became ready in this run
  std::size_t taken_ = 0;   // of ready_
  std::size_t tasks_left_ = 0;
};

}  // namespace weft
