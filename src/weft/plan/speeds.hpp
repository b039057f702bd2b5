// plan/speeds: how fast links and memory are, measured once a process.
// Keeps: agreement - all ranks have the same numbers, those of the slowest.
#pragma once

#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/model/machine.hpp"
#include "weft/options.hpp"

namespace weft {

/// Measures, in about 50 ms, what a rank walks over while all ranks do, and what the links between
/// nodes carry while each node sends to the next one; rank r is on node `node_of_rank[r]`. Unknown
/// on one node, where `options` do not allow to measure, in simulations, and while ranks take turns
/// on the cores. What was measured for the same nodes before is taken again. Collective.
Speeds measured_speeds(const Communicator& comm, const std::vector<int>& node_of_rank,
                       const Options& options);

}  // namespace weft
