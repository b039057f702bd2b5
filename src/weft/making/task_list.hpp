// making/task_list: the tasks of a program, and which task waits for which.
// Pure. Keeps: steps that do not overlap use the same memory in turn: a sweep begins when the sweep
// before has run and the exchange before that has finished. Steps that overlap have memory of their
// own: all begin at once, and items wait only for their messages.
#pragma once

#include <vector>

#include "weft/making/exchange_layout.hpp"
#include "weft/making/step_plan.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Where a step of a program comes from.
struct StepSource {
  std::size_t planned;           ///< the step of the plan; for a sweep, its first pass
  const ExchangeLayout* layout;  ///< null for a sweep
};

/// Adds signals and tasks to `program`, which already has its steps. `first_on_others` is the first
/// step of the plan in which any rank of the node works on arrays of other ranks or stores to their
/// memory.
void write_tasks(const StepPlan& plan, const std::vector<StepSource>& sources,
                 std::size_t first_on_others, Program& program);

}  // namespace weft
