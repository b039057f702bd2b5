// comm/cores: compares the affinity masks and the control groups of the ranks of a node.

#include "weft/comm/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "weft/base/cpu_quota.hpp"
#include "weft/base/recent.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"

namespace weft {

namespace {

// One bit per core, for at most 8192 cores.
using Cores = std::array<std::uint64_t, 128>;

Cores cores_of_this_process() {
  Cores cores{};
  if (sched_getaffinity(0, sizeof cores, reinterpret_cast<cpu_set_t*>(cores.data())) != 0)
    cores = {1};
  return cores;
}

// As many quotas as are sent; the others are of outer groups. Empty entries have no cores.
using Quotas = std::array<CpuQuota, 16>;

Quotas quotas_of_this_process(const std::string& root) {
  Quotas quotas{};
  static thread_local Recent<std::vector<CpuQuota>> of_this_machine;
  const auto found =
      root.empty() ? of_this_machine.get([] { return cpu_quotas(); }) : cpu_quotas(root);
  std::copy_n(found.begin(), std::min(found.size(), quotas.size()), quotas.begin());
  return quotas;
}

// What a rank tells the others of its machine.
struct Told {
  Cores cores{};
  Quotas quotas{};
};

}  // namespace

CoreShare core_share(const Communicator& comm, const std::string& root) {
  if (is_simulated) return {};  // only the thread that calls MPI can advance the simulated clock
  const Communicator& node = comm.on_this_machine();
  Told mine;
  std::vector<Told> told;
  std::vector<CpuQuota> quotas;
  agree(comm, [&] {
    mine = {cores_of_this_process(), quotas_of_this_process(root)};
    told.resize(static_cast<std::size_t>(node.size()));
    quotas.reserve(told.size() * mine.quotas.size());
  });
  node.gather(&mine, static_cast<int>(sizeof mine), told.data());
  const auto common = [&](const Cores& theirs) {
    int count = 0;
    for (std::size_t i = 0; i < mine.cores.size(); ++i)
      count += std::popcount(mine.cores[i] & theirs[i]);
    return count;
  };
  int sharing = 0;
  for (const Told& theirs : told) {
    if (common(theirs.cores) > 0) ++sharing;
    quotas.insert(quotas.end(), theirs.quotas.begin(), theirs.quotas.end());
  }
  const int share = common(mine.cores) / std::max(1, sharing);
  const auto none = std::ranges::find(mine.quotas, std::int64_t{0}, &CpuQuota::millicores);
  return {cores_within({mine.quotas.begin(), none}, quotas, std::max(1, share)), share < 1};
}

}  // namespace weft
