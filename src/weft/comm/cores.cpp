// comm/cores: compares the affinity masks and the control groups of the ranks of a node.

#include "weft/comm/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>

#include "weft/base/recent.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"

namespace weft {

CoreClaim core_claim(const std::string& root) {
  CoreClaim mine;
  if (sched_getaffinity(0, sizeof mine.cores, reinterpret_cast<cpu_set_t*>(mine.cores.data())) != 0)
    mine.cores = {1};
  static thread_local Recent<std::vector<CpuQuota>> of_this_machine;
  const auto found =
      root.empty() ? of_this_machine.get([] { return cpu_quotas(); }) : cpu_quotas(root);
  std::copy_n(found.begin(), std::min(found.size(), mine.quotas.size()), mine.quotas.begin());
  return mine;
}

CoreShare core_share(const CoreClaim& mine, const std::vector<CoreClaim>& all) {
  const auto common = [&](const CoreClaim& theirs) {
    int count = 0;
    for (std::size_t i = 0; i < mine.cores.size(); ++i)
      count += std::popcount(mine.cores[i] & theirs.cores[i]);
    return count;
  };
  int sharing = 0;
  std::vector<CpuQuota> quotas;
  for (const CoreClaim& theirs : all) {
    if (common(theirs) > 0) ++sharing;
    quotas.insert(quotas.end(), theirs.quotas.begin(), theirs.quotas.end());
  }
  const int share = common(mine) / std::max(1, sharing);
  const auto none = std::ranges::find(mine.quotas, std::int64_t{0}, &CpuQuota::millicores);
  return {cores_within({mine.quotas.begin(), none}, quotas, std::max(1, share)), share < 1};
}

CoreShare core_share(const Communicator& comm, const std::string& root) {
  if (is_simulated) return {};  // only the thread that calls MPI can advance the simulated clock
  const Communicator& machine = comm.on_this_machine();
  CoreClaim mine;
  std::vector<CoreClaim> all;
  agree(comm, [&] {
    mine = core_claim(root);
    all.resize(static_cast<std::size_t>(machine.size()));
  });
  machine.gather(&mine, static_cast<int>(sizeof mine), all.data());
  return agree(comm, [&] { return core_share(mine, all); });
}

}  // namespace weft
