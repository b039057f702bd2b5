// making/task_builder: adds tasks, their waits, and signals to a program.
// Pure.
#pragma once

#include <string>
#include <utility>

#include "weft/program/index.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Tasks, steps and signals are known by their numbers in the program.
class TaskBuilder {
 public:
  /// `program` must outlive the builder.
  explicit TaskBuilder(Program& program) : program_(program) {}

  const Program& program() const { return program_; }
  Step& step(std::size_t number) { return program_.steps[number]; }

  int add(Task::Kind kind, std::size_t step, int index = 0) {
    Task task;
    task.kind = kind;
    task.step = static_cast<int>(step);
    task.index = index;
    program_.tasks.push_back(std::move(task));
    return static_cast<int>(program_.tasks.size()) - 1;
  }
  int add_milestone(Task::Milestone what, std::size_t step, int index = 0) {
    const int task = add(Task::milestone, step, index);
    program_.tasks.back().what = what;
    return task;
  }
  int add_signal(std::string name, int raisers) {
    program_.signals.push_back({std::move(name), raisers});
    return static_cast<int>(program_.signals.size()) - 1;
  }
  /// A task that awaits `signal` once task `after` has completed (see Task::lag).
  int add_await(std::size_t step, int signal, int after, int lag = 0) {
    const int task = add(Task::await, step, signal);
    program_.tasks.back().lag = lag;
    wait(task, after, Why::begun);
    return task;
  }
  /// Makes `task` wait for task `on`.
  void wait(int task, int on, Why why, bool until_submitted = false) {
    program_.tasks[at(task)].waits.push_back({on, why, until_submitted});
  }

 private:
  Program& program_;
};

}  // namespace weft
