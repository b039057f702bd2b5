// comm/cores: compares the affinity masks and the control groups of the ranks of a node.

#include "weft/comm/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "weft/base/cpu_quota.hpp"
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
  const auto found = cpu_quotas(root);
  std::copy_n(found.begin(), std::min(found.size(), quotas.size()), quotas.begin());
  return quotas;
}

// The share of `cores` that the quotas of the control groups leave to this rank. Collective.
int within_quotas(const Communicator& comm, const Communicator& node, int cores,
                  const std::string& root) {
  Quotas mine{};
  std::vector<CpuQuota> all;
  agree(comm, [&] {
    mine = quotas_of_this_process(root);
    all.resize(mine.size() * static_cast<std::size_t>(node.size()));
  });
  node.gather(mine.data(), static_cast<int>(sizeof mine), all.data());
  const auto none = std::ranges::find(mine, std::int64_t{0}, &CpuQuota::millicores);
  return agree(comm, [&] { return cores_within({mine.begin(), none}, all, cores); });
}

}  // namespace

CoreShare core_share(const Communicator& comm, const std::string& root) {
  if (is_simulated) return {};  // only the thread that calls MPI can advance the simulated clock
  const Cores mine = cores_of_this_process();
  const Communicator node = comm.on_this_machine();
  std::vector<Cores> all;
  agree(comm, [&] { all.resize(static_cast<std::size_t>(node.size())); });
  node.gather(mine.data(), static_cast<int>(sizeof mine), all.data());
  const auto common = [&](const Cores& theirs) {
    int count = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) count += std::popcount(mine[i] & theirs[i]);
    return count;
  };
  const auto sharing =
      std::count_if(all.begin(), all.end(), [&](const Cores& cores) { return common(cores) > 0; });
  const int share = common(mine) / std::max(1, static_cast<int>(sharing));
  return {within_quotas(comm, node, std::max(1, share), root), share < 1};
}

}  // namespace weft
