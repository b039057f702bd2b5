// comm/bindings: reads affinity masks, and which processors share a core.

#include "weft/comm/bindings.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/comm/agreement.hpp"

namespace weft {

namespace {

// The lowest processor of the core of `processor`; itself if the system does not tell.
std::int64_t core_of(std::int64_t processor, const std::string& root) {
  std::ifstream siblings(fmt::format(
      "{}/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", root, processor));
  std::int64_t lowest = processor;
  // The list begins with the lowest number: "3,67" or "6-7".
  return siblings >> lowest && lowest >= 0 && lowest <= processor ? lowest : processor;
}

std::vector<std::int64_t> processors_of_this_process() {
  std::array<cpu_set_t, 8> mask{};  // 8192 processors
  std::vector<std::int64_t> found;
  if (sched_getaffinity(0, sizeof mask, mask.data()) != 0) return {0};
  for (std::size_t i = 0; i < mask.size() * CPU_SETSIZE; ++i)
    if (CPU_ISSET_S(i, sizeof mask, mask.data())) found.push_back(static_cast<std::int64_t>(i));
  return found;
}

// Parses a list as "0-3,8"; empty if the file is missing or has another form.
std::vector<std::int64_t> list_in(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::int64_t> list;
  constexpr std::int64_t most = 8192;
  for (std::string part; std::getline(file, part, ',');) {
    std::istringstream text(part);
    std::int64_t first = 0, last = 0;
    char dash = 0;
    if (!(text >> first)) return {};
    if (!(text >> dash >> last)) last = first;
    if (first < 0 || last < first || last > most) return {};
    for (std::int64_t number = first; number <= last; ++number) list.push_back(number);
  }
  return list;
}

// The control group of this process, below the root of its hierarchy; in a container the root.
std::vector<std::string> paths_of_group(const std::string& root) {
  std::vector<std::string> paths{""};
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);)
    if (const auto at = line.find(":/"); at != std::string::npos && line.size() > at + 2)
      paths.insert(paths.begin(), line.substr(at + 1));
  return paths;
}

}  // namespace

CoreBinding binding_of_host(const std::string& root) {
  for (const std::string& group : paths_of_group(root))
    for (const char* file : {"/sys/fs/cgroup{}/cpuset.cpus.effective",
                             "/sys/fs/cgroup/cpuset{}/cpuset.effective_cpus"})
      if (auto list = list_in(root + fmt::format(fmt::runtime(file), group)); !list.empty())
        return binding_of(std::move(list), root);
  auto online = list_in(root + "/sys/devices/system/cpu/online");
  return online.empty() ? binding_here(root) : binding_of(std::move(online), root);
}

CoreBinding binding_of(std::vector<std::int64_t> processors, const std::string& root) {
  std::sort(processors.begin(), processors.end());
  CoreBinding binding{std::move(processors), {}};
  for (const std::int64_t processor : binding.processors)
    binding.cores.push_back(core_of(processor, root));
  std::sort(binding.cores.begin(), binding.cores.end());
  binding.cores.erase(std::unique(binding.cores.begin(), binding.cores.end()), binding.cores.end());
  return binding;
}

CoreBinding binding_here(const std::string& root) {
  return binding_of(processors_of_this_process(), root);
}

std::vector<CoreBinding> bindings_of_ranks(const Communicator& comm) {
  const CoreBinding mine = agree(comm, [&] { return binding_here(); });
  const auto processors = comm.gather_all(mine.processors);
  const auto cores = comm.gather_all(mine.cores);
  return agree(comm, [&] {
    std::vector<CoreBinding> all;
    for (std::size_t r = 0; r < processors.size(); ++r) all.push_back({processors[r], cores[r]});
    return all;
  });
}

}  // namespace weft
