// comm/cores: the number of threads that a rank can run without using the cores of other ranks.
#pragma once

#include "weft/comm/communicator.hpp"

namespace weft {

/// The number of cores on which this rank may run, divided by the number of ranks of its node that
/// may run on any of these cores; at least 1. Collective.
int cores_per_rank(const Communicator& comm);

}  // namespace weft
