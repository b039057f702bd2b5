// comm/cores: how many threads a rank can run without taking cores from other ranks.
#pragma once

#include "weft/comm/communicator.hpp"

namespace weft {

/// The processor cores this rank may run on, divided by the ranks of its node that may run on some
/// of them too; at least 1. Collective.
int cores_per_rank(const Communicator& comm);

}  // namespace weft
