// comm/cores: the number of threads that a rank can run without using the cores of other ranks.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"

namespace weft {

/// The cores that fall to a rank.
struct CoreShare {
  /// The number of cores on which the rank may run, divided by the number of ranks of its node that
  /// may run on any of these cores, or its share of what a CPU quota of its control groups allows,
  /// if that is less; at least 1.
  int cores = 1;
  bool takes_turns = false;  ///< there are fewer cores than ranks that may run on them
};

/// The share of this rank. `root` is that of cpu_quotas(). Collective.
CoreShare core_share(const Communicator& comm, const std::string& root = "");

inline int cores_per_rank(const Communicator& comm, const std::string& root = "") {
  return core_share(comm, root).cores;
}

}  // namespace weft
