// comm/cores: the number of threads that a rank can run without using the cores of other ranks.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"

namespace weft {

/// The number of cores on which this rank may run, divided by the number of ranks of its node that
/// may run on any of these cores, or its share of what a CPU quota of its control groups allows, if
/// that is less; at least 1. `root` is that of cpu_quotas(). Collective.
int cores_per_rank(const Communicator& comm, const std::string& root = "");

}  // namespace weft
