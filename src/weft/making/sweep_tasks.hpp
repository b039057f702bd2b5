// making/sweep_tasks: what the items of a sweep wait for, and what waits for them.
// Pure.
#pragma once

#include <vector>

#include "weft/making/step_tasks.hpp"

namespace weft {

/// Adds the tasks of sweep i. `made` has the tasks of all steps. Items wait for task `all_begun`,
/// if it is not -1.
void add_sweep_tasks(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                     int all_begun, TaskBuilder& tasks);

}  // namespace weft
