// making/task_list: the tasks of a program, and which task waits for which.
// Pure.
#pragma once

#include "weft/making/step_tasks.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Adds signals and tasks to `program`, which already has its steps. `first_on_others` is the first
/// step of the plan in which any rank of the node works on arrays of other ranks or stores to their
/// memory.
void write_tasks(const ProgramSteps& steps, std::size_t first_on_others, Program& program);

}  // namespace weft
