// plan/speeds: how fast links and memory are, measured once a process.
// Keeps: agreement - all ranks have the same numbers, those of the slowest.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/comm/cores.hpp"
#include "weft/machine/machine.hpp"
#include "weft/options.hpp"

namespace weft {

/// Measures, in about 30 ms, what a rank of `machine` walks over with its threads while all ranks
/// do and how fast it transforms lines; and, on several nodes, in 60 to 120 ms more, what the links
/// between them carry while each node sends to the next one, and what this takes of the time in
/// which ranks compute. Unknown where `options` do not allow to measure, while ranks or threads
/// take turns on the cores, and where there is little memory. In a simulation links are measured on
/// the simulated clock, and ranks walk as fast as the simulated passes were told to; unknown if
/// these take no time. What was measured for the same nodes, threads and caches before is taken
/// again. `share` is the core_share() of this rank. Collective.
Speeds measured_speeds(const Communicator& comm, const Machine& machine, const Options& options,
                       const CoreShare& share);

}  // namespace weft
