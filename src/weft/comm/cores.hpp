// comm/cores: the number of threads that a rank can run without using the cores of other ranks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/cpu_quota.hpp"
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

/// The cores and quotas of a process, as plain data, which is sent to the others of its machine.
struct CoreClaim {
  std::array<std::uint64_t, 128> cores{};  ///< a bit for each; at most 8192
  /// As many quotas as are sent; the others are of outer groups. Empty entries have no cores.
  std::array<CpuQuota, 16> quotas{};
};
/// That of this process. `root` is that of cpu_quotas(). Not collective.
CoreClaim core_claim(const std::string& root = "");
/// The share of a rank, of what `all` ranks of its machine claim, itself among them. Not
/// collective.
CoreShare core_share(const CoreClaim& mine, const std::vector<CoreClaim>& all);

/// The share of this rank. Collective.
CoreShare core_share(const Communicator& comm, const std::string& root = "");

inline int cores_per_rank(const Communicator& comm, const std::string& root = "") {
  return core_share(comm, root).cores;
}

}  // namespace weft
