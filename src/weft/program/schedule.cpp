// program/schedule: counts down the waits of tasks.

#include "weft/program/schedule.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"

namespace weft {

// Calls count(task, event, follower) for everything that waits. A milestone that is ready once what
// it waits for is enqueued completes with the last of it.
template <class Count>
void Schedule::for_each_count(const Program& program, const Count& count) const {
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    const int number = static_cast<int>(t);
    const bool is_early = enqueues_ && (task.kind == Task::compute || task.kind == Task::milestone);
    for (const Wait& wait : task.waits) {
      const Event last = wait.until_submitted ? on_submission : on_completion;
      count(wait.task, is_early && last == on_completion ? on_queueing : last, number);
      if (is_early && task.kind == Task::milestone) count(wait.task, last, -1 - number);
    }
  }
}

Schedule::Schedule(const Program& program, Items items)
    : program_(&program),
      urgency_(program.tasks.size(), none),
      enqueues_(items == Items::are_enqueued),
      first_(events * program.tasks.size() + 1, 0),
      waits_(program.tasks.size(), 0),
      holds_(enqueues_ ? program.tasks.size() : 0, 0),
      arrivals_(program.steps.size(), 0),
      state_(program.tasks.size(), State::waits) {
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    const bool is_milestone = task.kind == Task::milestone;
    if (is_milestone && task.what == Task::arrived) ++arrivals_[at(task.step)];
    if (!is_milestone && task.kind != Task::stored) ++unqueued_;
    if (task.kind != Task::compute) continue;
    const SweepProgram& sweep = program.sweeps[at(program.steps[at(task.step)].sweep)];
    urgency_[t] = static_cast<int>(sweep.items[at(task.index)].feeds);
  }
  for_each_count(program, [&](int task, Event event, int follower) {
    ++first_[events * at(task) + event + 1];
    ++(follower < 0 ? holds_[at(-1 - follower)] : waits_[at(follower)]);
  });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  followers_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each_count(program, [&](int task, Event event, int follower) {
    followers_[next[events * at(task) + event]++] = follower;
  });
  items_.reserve(program.tasks.size());
  ready_.reserve(program.tasks.size());
  waits_left_ = waits_;
  holds_left_ = holds_;
  arrivals_left_ = arrivals_;
}

void Schedule::begin() {
  items_.clear();
  ready_.clear();
  taken_ = 0;
  tasks_left_ = state_.size();
  unqueued_left_ = unqueued_;
  waits_left_ = waits_;
  holds_left_ = holds_;
  arrivals_left_ = arrivals_;
  std::fill(state_.begin(), state_.end(), State::waits);
  // A task without waits may complete others that follow it in the list.
  for (std::size_t t = 0; t < waits_.size(); ++t)
    if (waits_[t] == 0) make_ready(static_cast<int>(t));
}

void Schedule::count_down(int task, Event event) {
  const std::size_t first = first_[events * at(task) + event];
  const std::size_t last = first_[events * at(task) + event + 1];
  for (std::size_t i = first; i < last; ++i) {
    const int follower = followers_[i];
    if (follower >= 0) {
      if (--waits_left_[at(follower)] == 0) make_ready(follower);
    } else if (--holds_left_[at(-1 - follower)] == 0) {
      complete(-1 - follower);
    }
  }
}

void Schedule::make_ready(int task) {
  switch (program_->tasks[at(task)].kind) {
    case Task::milestone:
      mark_submitted(task);
      if (enqueues_) mark_enqueued(task);
      if (!enqueues_ || holds_[at(task)] == 0) complete(task);
      return;
    case Task::stored:
      mark_submitted(task);
      return;
    case Task::compute:
      items_.push_back(task);
      std::push_heap(items_.begin(), items_.end(), [this](int a, int b) { return is_later(a, b); });
      return;
    default:
      ready_.push_back(task);
  }
}

void Schedule::mark_submitted(int task) {
  ensure(state_[at(task)] == State::waits, task);
  state_[at(task)] = State::submitted;
  count_down(task, on_submission);
}

void Schedule::mark_enqueued(int task) {
  ensure(enqueues_ && state_[at(task)] == State::submitted, task);
  state_[at(task)] = State::enqueued;
  if (program_->tasks[at(task)].kind == Task::compute) --unqueued_left_;
  count_down(task, on_queueing);
}

// What completes at once has not been enqueued.
void Schedule::mark_completed(int task) {
  const Task::Kind kind = program_->tasks[at(task)].kind;
  if (enqueues_ && kind != Task::compute) {
    if (kind != Task::stored) --unqueued_left_;
    count_down(task, on_queueing);
  }
  complete(task);
}

void Schedule::complete(int task) {
  const Task& completed = program_->tasks[at(task)];
  const bool was_enqueued =
      enqueues_ && (completed.kind == Task::compute || completed.kind == Task::milestone);
  ensure(state_[at(task)] == (was_enqueued ? State::enqueued : State::submitted), task);
  state_[at(task)] = State::completed;
  --tasks_left_;
  if (completed.kind == Task::milestone && completed.what == Task::arrived)
    --arrivals_left_[at(completed.step)];
  count_down(task, on_completion);
}

bool Schedule::is_later(int a, int b) const {
  const int x = urgency_[at(a)], y = urgency_[at(b)];
  return x != y ? x > y : a > b;
}

int Schedule::take_ready() {
  if (taken_ == ready_.size()) return -1;
  const int task = ready_[taken_++];
  mark_submitted(task);
  return task;
}

int Schedule::take_item() {
  if (items_.empty()) return -1;
  std::pop_heap(items_.begin(), items_.end(), [this](int a, int b) { return is_later(a, b); });
  const int item = items_.back();
  items_.pop_back();
  mark_submitted(item);
  return item;
}

int Schedule::urgency() const { return items_.empty() ? none : urgency_[at(items_.front())]; }

}  // namespace weft
