// base/cpu_quota: how much processor time the control groups of this process allow (cgroup v1 and
// v2), which containers and batch systems use as limits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The limit of one control group. Groups of one machine are told apart by their number, which is
/// the same for processes that see the group at different places.
struct CpuQuota {
  std::int64_t group = 0;
  std::int64_t millicores = 0;  ///< processor time per time, in thousandths

  friend bool operator==(const CpuQuota&, const CpuQuota&) = default;
};

/// The limits of the groups of this process and of the groups around them, those of the innermost
/// groups first. Empty if there are none or if they cannot be read. `root` stands before the paths
/// of all files that are read: tests have a tree of their own.
std::vector<CpuQuota> cpu_quotas(const std::string& root = "");

/// The number of cores that the quotas `mine` give to each process if those of all processes of
/// the machine, this one included, are `all`: each quota is shared by the processes of its group.
/// At most `cores`, at least 1.
int cores_within(std::span<const CpuQuota> mine, std::span<const CpuQuota> all, int cores);

}  // namespace weft
