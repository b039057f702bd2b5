// making/task_list: what all steps have, then step by step.

#include "weft/making/task_list.hpp"

#include "weft/making/exchange_tasks.hpp"
#include "weft/making/sweep_tasks.hpp"

namespace weft {

namespace {

// A rank raises this signal when it begins the run: it has published where its arrays are, and
// has finished the run before. Until all ranks of the node have raised it, no rank works on other
// ranks' arrays or stores to their memory. Returns the await of it.
int add_begin_signal(int members, TaskBuilder& tasks) {
  const int signal = tasks.add_signal("run begun", members);
  return tasks.add_await(0, signal, tasks.add(Task::raise, 0, signal));
}

}  // namespace

void write_tasks(const ProgramSteps& steps, std::size_t first_on_others, Program& program) {
  TaskBuilder tasks(program);
  const std::vector<StepTasks> made = add_step_tasks(steps, tasks);
  const std::size_t first = steps.step_of(first_on_others);
  if (first < steps.size()) program.all_begun = add_begin_signal(steps.members(), tasks);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps.is_sweep(i))
      add_sweep_tasks(steps, made, i, i >= first ? program.all_begun : -1, tasks);
    else if (steps.shares_memory(i))
      add_node_tasks(steps, made, i, tasks);
    else
      add_message_tasks(steps, made, i, tasks);
}

}  // namespace weft
