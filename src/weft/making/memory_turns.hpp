// making/memory_turns: waits of steps that use the same memory in turn.
// Pure. Keeps: steps that do not overlap use the same memory in turn: a sweep begins when the sweep
// before has run and the exchange before that has finished. Steps that overlap have memory of their
// own: all begin at once, and items wait only for their messages.
#pragma once

#include <vector>

#include "weft/making/step_tasks.hpp"

namespace weft {

/// Makes sweep i begin when the memory that it stores to is free. `made` has the tasks of all
/// steps.
void wait_for_turn(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                   TaskBuilder& tasks);

/// Makes `task` wait until the source of this rank has been read, by this rank and by others.
/// `first` are the tasks of the first step.
void wait_until_source_is_read(const ProgramSteps& steps, const StepTasks& first, int task,
                               TaskBuilder& tasks);

}  // namespace weft
