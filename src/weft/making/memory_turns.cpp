// making/memory_turns: what a sweep waits for before it begins.

#include "weft/making/memory_turns.hpp"

namespace weft {

namespace {

// Whether sweep i is not the first and stores to the target. Only for steps that overlap: their
// first step is a sweep, which reads the source.
bool overwrites_source(const ProgramSteps& steps, std::size_t i) {
  if (i == 0) return false;
  const StepPlan& plan = steps.plan();
  const std::size_t first = steps.planned(i), last = plan.sweep_last(first);
  for (std::size_t pass = first; pass <= last; ++pass)
    if (plan.stores_to_target(pass)) return true;
  return false;
}

}  // namespace

void wait_until_source_is_read(const ProgramSteps& steps, const StepTasks& first, int task,
                               TaskBuilder& tasks) {
  if (steps.is_sweep(0)) {
    tasks.wait(task, first.passes, Why::source_read);
    return;
  }
  if (steps.shares_memory(0)) {  // other ranks load from the source
    tasks.wait(task, first.finishes, Why::source_read);
    return;
  }
  const auto& all = tasks.program().tasks;
  for (std::size_t t = 0; t < all.size(); ++t)
    if (all[t].step == 0 && (all[t].kind == Task::collective || all[t].kind == Task::send))
      tasks.wait(task, static_cast<int>(t), Why::source_read);
}

void wait_for_turn(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                   TaskBuilder& tasks) {
  const int begins = made[i].begins;
  if (steps.plan().overlaps()) {
    if (steps.in_place() && overwrites_source(steps, i))
      tasks.wait(begins, made[0].passes, Why::source_read);
    return;
  }
  std::size_t before = i;  // becomes the sweep before
  while (before > 0 && !steps.is_sweep(before - 1)) --before;
  if (before == 0) return;
  --before;
  // The sweeps beside a ring run together.
  if (steps.has_ring(before + 1)) {
    tasks.wait(begins, made[before].begins, Why::begun);
    if (steps.in_place() && steps.plan().ring(steps.planned(i - 1)) == Ring::to_target)
      wait_until_source_is_read(steps, made[0], begins, tasks);
    return;
  }
  tasks.wait(begins, made[before].passes, Why::in_turn);
  // An exchange must have finished before the second sweep after it begins.
  std::size_t exchange = before;
  while (exchange > 0 && steps.is_sweep(exchange - 1)) --exchange;
  if (exchange > 0) tasks.wait(begins, made[exchange - 1].finishes, Why::finished);
}

}  // namespace weft
