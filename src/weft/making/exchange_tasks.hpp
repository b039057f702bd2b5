// making/exchange_tasks: the tasks of exchanges by messages, by collectives, and in nodes.
// Pure.
#pragma once

#include <vector>

#include "weft/making/step_tasks.hpp"

namespace weft {

/// Adds the tasks of exchange i, which goes by messages or by collectives. `made` has the tasks of
/// all steps.
void add_message_tasks(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                       TaskBuilder& tasks);

/// Adds the tasks of exchange i, which shares memory in nodes.
void add_node_tasks(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                    TaskBuilder& tasks);

}  // namespace weft
