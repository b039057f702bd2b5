// proof/check_work: checks that the sweeps and exchanges of one program are well formed, and that
// every grain of their work is done by one task.
// Pure. Keeps: it relies only on indices that proof/check_structure has checked.
#pragma once

#include <string>

#include "weft/program/program.hpp"

namespace weft {

/// What is wrong with the sweep (exchange) of step `step`, in words; empty if nothing is wrong.
std::string sweep_fault(const Program& program, int step);
std::string exchange_fault(const Program& program, int step);

/// Names an item, message, collective or outgoing message that no task does, or that several tasks
/// do; empty if there is none. The indices in all tasks must be in range.
std::string work_fault(const Program& program);

}  // namespace weft
