// program/task_list: the tasks of a program, and which waits for which.
// Pure. One after the other, a pass begins when the one before has run and the exchange before that
// has finished, so that steps can use the same memory in turn. Where exchanges are cut into chunks
// every step has memory of its own, all begin at once, and items wait for nothing but their
// messages.
#pragma once

#include <vector>

#include "weft/program/exchange_layout.hpp"
#include "weft/program/program.hpp"
#include "weft/program/step_plan.hpp"

namespace weft {

/// A step of a program: its number in the plan (of the first pass of a sweep), and the layout of an
/// exchange.
struct StepSource {
  std::size_t planned;
  const ExchangeLayout* layout;
};

/// Adds signals and tasks to `program`, whose steps are there. `first_on_others_arrays`: the first
/// planned step of any rank of the node that works on arrays of others.
void write_tasks(const StepPlan& plan, const std::vector<StepSource>& sources,
                 std::size_t first_on_others_arrays, Program& program);

}  // namespace weft
