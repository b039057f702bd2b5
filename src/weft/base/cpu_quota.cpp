// base/cpu_quota: finds the folders of the control groups below /sys, and reads their limits.

#include "weft/base/cpu_quota.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace weft {

namespace {

// Where a hierarchy of groups is mounted, and which of its groups is there.
struct Mount {
  std::string point, group;
  bool is_v2 = false;
};

bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// The hierarchies that may limit processor time, from lines like "30 23 0:26 /group /sys/fs/cgroup
// rw shared:4 - cgroup2 cgroup2 rw,nsdelegate".
std::vector<Mount> mounts_of_groups(const std::string& root) {
  std::vector<Mount> mounts;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
    std::string id, parent, device, type, source, options;
    Mount mount;
    before >> id >> parent >> device >> mount.group >> mount.point;
    after >> type >> source >> options;
    mount.is_v2 = type == "cgroup2";
    if (mount.is_v2 || (type == "cgroup" && has_word(options, "cpu"))) mounts.push_back(mount);
  }
  return mounts;
}

// The path of this process's group, from lines like "0::/user.slice" for v2 and
// "4:cpu,cpuacct:/user.slice" for v1.
std::optional<std::string> group_of_this_process(const std::string& root, bool is_v2) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (is_v2 ? line.substr(0, first) == "0" && controllers.empty() : has_word(controllers, "cpu"))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

// The part of `group` below the group that is mounted. A container may see a mount of its own group
// but be told the path outside of it; then it is in the group that is mounted.
std::string path_below(const std::string& mounted, const std::string& group) {
  const std::string above = mounted == "/" ? "" : mounted;
  const bool is_below = group.rfind(above + "/", 0) == 0;
  if (!is_below || group.find("/..") != std::string::npos) return "";
  const std::string below = group.substr(above.size());
  return below == "/" ? "" : below;
}

// The limit of the group in `folder`; 0 if it has none. v2 writes "max 100000" or "150000 100000"
// (in microseconds, the second is the period), v1 writes the same into two files, and -1 for no
// limit.
std::int64_t millicores_in(const std::string& folder, bool is_v2) {
  std::int64_t quota = 0, period = 0;
  if (is_v2) {
    std::ifstream(folder + "/cpu.max") >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? std::max<std::int64_t>(1, 1000 * quota / period) : 0;
}

// The number of the folder's inode, which is the number of the group, and of its file system.
std::int64_t number_of(const std::string& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return 0;
  return static_cast<std::int64_t>(status.st_dev * 0x9e3779b97f4a7c15ULL + status.st_ino);
}

}  // namespace

std::vector<CpuQuota> cpu_quotas(const std::string& root) {
  std::vector<CpuQuota> quotas;
  for (const Mount& mount : mounts_of_groups(root)) {
    const auto group = group_of_this_process(root, mount.is_v2);
    if (!group) continue;
    for (std::string below = path_below(mount.group, *group);;
         below.resize(below.find_last_of('/'))) {
      std::string folder = root;
      folder += mount.point;
      folder += below;
      const std::int64_t millicores = millicores_in(folder, mount.is_v2);
      const CpuQuota quota{number_of(folder), millicores};
      // The same hierarchy may be mounted at several places.
      if (millicores > 0 && std::ranges::find(quotas, quota) == quotas.end())
        quotas.push_back(quota);
      if (below.empty()) break;
    }
  }
  return quotas;
}

int cores_within(std::span<const CpuQuota> mine, std::span<const CpuQuota> all, int cores) {
  std::int64_t fewest = cores;
  for (const CpuQuota& quota : mine) {
    const auto sharing = std::ranges::count(all, quota.group, &CpuQuota::group);
    fewest = std::min(fewest, quota.millicores / 1000 / std::max<std::int64_t>(1, sharing));
  }
  return static_cast<int>(std::max<std::int64_t>(1, fewest));
}

}  // namespace weft
