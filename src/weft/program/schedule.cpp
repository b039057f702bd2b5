// program/schedule: counts down the waits of tasks.

#include "weft/program/schedule.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"

namespace weft {

Schedule::Schedule(const Program& program)
    : program_(&program),
      urgency_(program.tasks.size(), none),
      first_(2 * program.tasks.size() + 1, 0),
      waits_(program.tasks.size(), 0),
      arrivals_(program.steps.size(), 0),
      state_(program.tasks.size(), State::waits) {
  const auto slot = [](const Wait& wait) {
    return 2 * at(wait.task) + (wait.until_submitted ? 0 : 1);
  };
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    waits_[t] = static_cast<int>(task.waits.size());
    for (const Wait& wait : task.waits) ++first_[slot(wait) + 1];
    if (task.kind == Task::milestone && task.what == Task::arrived) ++arrivals_[at(task.step)];
    if (task.kind != Task::compute) continue;
    const SweepProgram& sweep = program.sweeps[at(program.steps[at(task.step)].sweep)];
    urgency_[t] = static_cast<int>(sweep.items[at(task.index)].feeds);
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  followers_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t t = 0; t < program.tasks.size(); ++t)
    for (const Wait& wait : program.tasks[t].waits)
      followers_[next[slot(wait)]++] = static_cast<int>(t);
  items_.reserve(program.tasks.size());
  ready_.reserve(program.tasks.size());
  waits_left_ = waits_;
  arrivals_left_ = arrivals_;
}

void Schedule::begin() {
  items_.clear();
  ready_.clear();
  taken_ = 0;
  tasks_left_ = state_.size();
  waits_left_ = waits_;
  arrivals_left_ = arrivals_;
  std::fill(state_.begin(), state_.end(), State::waits);
  // A task without waits may complete others that follow it in the list.
  for (std::size_t t = 0; t < waits_.size(); ++t)
    if (waits_[t] == 0) make_ready(static_cast<int>(t));
}

void Schedule::count_down(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    if (--waits_left_[at(followers_[i])] == 0) make_ready(followers_[i]);
}

void Schedule::make_ready(int task) {
  switch (program_->tasks[at(task)].kind) {
    case Task::milestone:
      mark_submitted(task);
      mark_completed(task);
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
  count_down(first_[2 * at(task)], first_[2 * at(task) + 1]);
}

void Schedule::mark_completed(int task) {
  ensure(state_[at(task)] == State::submitted, task);
  state_[at(task)] = State::completed;
  --tasks_left_;
  const Task& completed = program_->tasks[at(task)];
  if (completed.kind == Task::milestone && completed.what == Task::arrived)
    --arrivals_left_[at(completed.step)];
  count_down(first_[2 * at(task) + 1], first_[2 * at(task) + 2]);
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
