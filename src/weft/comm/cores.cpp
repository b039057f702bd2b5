// comm/cores: compares the affinity masks of the ranks of a node.

#include "weft/comm/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

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

}  // namespace

int cores_per_rank(const Communicator& comm) {
  if (is_simulated) return 1;  // only the thread that calls MPI can advance the simulated clock
  const Cores mine = cores_of_this_process();
  const Communicator node = comm.on_this_machine();
  std::vector<Cores> all;
  agree(comm, [&] { all.resize(static_cast<std::size_t>(node.size())); });
  const int words = static_cast<int>(mine.size());
  check_mpi(MPI_Allgather(mine.data(), words, MPI_UINT64_T, all.data(), words, MPI_UINT64_T,
                          node.handle()),
            "MPI_Allgather");
  const auto common = [&](const Cores& theirs) {
    int count = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) count += std::popcount(mine[i] & theirs[i]);
    return count;
  };
  const auto sharing =
      std::count_if(all.begin(), all.end(), [&](const Cores& cores) { return common(cores) > 0; });
  return std::max(1, common(mine) / std::max(1, static_cast<int>(sharing)));
}

}  // namespace weft
