// memory/capacity: asks the kernel, and reads the limits of control groups (containers).

#include "weft/memory/capacity.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "weft/base/recent.hpp"

namespace weft {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

// The number in a file; without one ("max"), or without the file, there is no limit.
std::int64_t number_in(const std::string& path) {
  std::int64_t number = 0;
  return std::ifstream(path) >> number && number > 0 ? number : unlimited;
}

// The least limit of the control groups of this process: of version 2, each with its parents, and
// of version 1. A container sees its own group as the root.
std::int64_t limit_of_groups() {
  std::int64_t least = std::min(number_in("/sys/fs/cgroup/memory.max"),
                                number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    std::istringstream fields(line);
    std::string number, controllers, path;
    if (!std::getline(fields, number, ':') || !std::getline(fields, controllers, ':') ||
        !std::getline(fields, path))
      continue;
    if (controllers == "memory")
      least = std::min(least, number_in("/sys/fs/cgroup/memory" + path + "/memory.limit_in_bytes"));
    if (!controllers.empty()) continue;
    for (; path.size() > 1; path.resize(path.rfind('/')))
      least = std::min(least, number_in("/sys/fs/cgroup" + path + "/memory.max"));
  }
  return least;
}

}  // namespace

Capacity memory_capacity() {
  Capacity capacity{unlimited, unlimited, "the machine"};
  struct sysinfo machine {};
  if (sysinfo(&machine) == 0)
    capacity.machine = capacity.process =
        static_cast<std::int64_t>((machine.totalram + machine.totalswap) * machine.mem_unit);
  const auto limit = [&](std::int64_t bytes, const char* what) {
    if (bytes >= capacity.process) return;
    capacity.process = bytes;
    capacity.limit = what;
  };
  static thread_local Recent<std::int64_t> of_groups;
  limit(of_groups.get(limit_of_groups), "the memory limit of its control group (container)");
  struct rlimit space {};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    limit(static_cast<std::int64_t>(space.rlim_cur), "ulimit -v");
  return capacity;
}

std::int64_t available_memory() {
  std::int64_t bytes = unlimited;
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string what;
    std::int64_t kilobytes = 0;
    if (words >> what >> kilobytes && what == "MemAvailable:") bytes = kilobytes << 10;
  }
  return std::min(bytes, memory_capacity().process);
}

}  // namespace weft
