// program/check_work: whether the sweeps and exchanges of one program are well formed, and all
// their work is done by one task each.
#pragma once

#include <string>

#include "weft/program/program.hpp"

namespace weft {

/// What is wrong with the sweep (exchange) of step `step`, in words; empty if nothing is.
std::string sweep_fault(const Program& program, int step);
std::string exchange_fault(const Program& program, int step);

/// An item, message, collective or outgoing message that no task does, or two tasks do, in words.
/// The tasks name things that exist.
std::string work_fault(const Program& program);

}  // namespace weft
