// memory/capacity: asks the kernel, and reads the limits of control groups (containers).

#include "weft/memory/capacity.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "weft/base/recent.hpp"

namespace weft {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

// The number in a file; without one ("max"), or without the file, there is no limit.
std::int64_t number_in(const std::string& path) {
  std::int64_t number = 0;
  return std::ifstream(path) >> number && number > 0 ? number : unlimited;
}

// The number that follows a name in a file of names and numbers, as "MemAvailable: 12 kB"; -1
// without one.
std::int64_t number_after(const std::string& name, const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string what;
    std::int64_t number = 0;
    if (words >> what >> number && what == name) return number;
  }
  return -1;
}

// A control group of this process.
struct Group {
  std::string folder;
  bool is_of_version_2;

  std::int64_t limit() const {
    return number_in(folder + (is_of_version_2 ? "/memory.max" : "/memory.limit_in_bytes"));
  }
  // What its processes can have besides what they have; pages of files can be dropped.
  std::int64_t free_bytes() const {
    const std::int64_t most = limit();
    if (most == unlimited) return unlimited;
    const std::int64_t taken =
        number_in(folder + (is_of_version_2 ? "/memory.current" : "/memory.usage_in_bytes"));
    if (taken == unlimited) return most;
    std::int64_t files = 0;
    for (const std::string name : {"inactive_file", "active_file"})
      files += std::max<std::int64_t>(
          0, number_after((is_of_version_2 ? "" : "total_") + name, folder + "/memory.stat"));
    return std::max<std::int64_t>(0, most - std::max<std::int64_t>(0, taken - files));
  }
};

// The control groups of this process, of version 2 with their parents, and of version 1. A
// container sees its own group as the root.
std::vector<Group> control_groups(const std::string& root) {
  const std::string v2 = root + "/sys/fs/cgroup", v1 = v2 + "/memory";
  std::vector<Group> all{{v2, true}, {v1, false}};
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    std::istringstream fields(line);
    std::string number, controllers, path;
    if (!std::getline(fields, number, ':') || !std::getline(fields, controllers, ':') ||
        !std::getline(fields, path))
      continue;
    if (controllers == "memory") all.push_back({v1 + path, false});
    if (!controllers.empty()) continue;
    for (; path.size() > 1; path.resize(path.rfind('/'))) all.push_back({v2 + path, true});
  }
  return all;
}

// The number of the folder, which the groups of all containers of a machine have in one kernel.
std::int64_t number_of(const Group& group) {
  struct stat folder {};
  return stat(group.folder.c_str(), &folder) == 0 ? static_cast<std::int64_t>(folder.st_ino) : 0;
}

struct GroupLimit {
  std::int64_t bytes = unlimited, number = 0;
};

GroupLimit least_limit(const std::string& root) {
  GroupLimit least;
  for (const Group& group : control_groups(root))
    if (const std::int64_t bytes = group.limit(); bytes < least.bytes)
      least = {bytes, number_of(group)};
  return least;
}

std::int64_t kilobytes_after(const std::string& name, const std::string& path) {
  const std::int64_t number = number_after(name, path);
  return number < 0 ? unlimited : number << 10;
}

}  // namespace

Capacity memory_capacity(const std::string& root) {
  Capacity capacity{unlimited, unlimited};
  struct sysinfo machine {};
  if (sysinfo(&machine) == 0)
    capacity.machine = capacity.process =
        static_cast<std::int64_t>((machine.totalram + machine.totalswap) * machine.mem_unit);
  struct rlimit space {};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    capacity.process = std::min(capacity.process, static_cast<std::int64_t>(space.rlim_cur));
  static thread_local Recent<GroupLimit> here;
  const auto ask = [&] { return least_limit(root); };
  const GroupLimit group = root.empty() ? here.get(ask) : ask();
  if (group.bytes >= capacity.machine) return capacity;
  capacity.group = group.bytes;
  capacity.group_number = group.number;
  const std::int64_t held = kilobytes_after("VmRSS:", root + "/proc/self/status");
  capacity.held = held == unlimited ? 0 : held;
  return capacity;
}

AvailableMemory available_memory() {
  AvailableMemory available{unlimited, unlimited};
  available.machine = kilobytes_after("MemAvailable:", "/proc/meminfo");
  for (const Group& group : control_groups(""))
    available.machine = std::min(available.machine, group.free_bytes());
  struct rlimit space {};
  const std::int64_t taken = kilobytes_after("VmSize:", "/proc/self/status");
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < static_cast<rlim_t>(unlimited) &&
      taken != unlimited)
    available.process =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(space.rlim_cur) - taken);
  return available;
}

}  // namespace weft
