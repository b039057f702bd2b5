// plan/machine_here: the machine is the same on every rank.
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/machine_here.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/world.hpp"
#include "weft/comm/cores.hpp"
#include "weft/memory/caches.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// All that is in it, as numbers.
std::vector<std::int64_t> numbers(const Machine& machine) {
  std::vector<std::int64_t> all{machine.ranks, machine.cache_bytes, machine.shared_cache_bytes};
  all.insert(all.end(), machine.node_of_rank.begin(), machine.node_of_rank.end());
  all.insert(all.end(), machine.threads_of_rank.begin(), machine.threads_of_rank.end());
  return all;
}

}  // namespace

TEST(MachineHere, is_the_same_on_every_rank) {
  const Communicator world(MPI_COMM_WORLD);
  for (const std::vector<int>& node_sizes : {std::vector<int>{}, {1}, {1, 3}}) {
    Options options;
    options.pretend.node_sizes = node_sizes;
    const Machine machine = machine_here(world, options);
    for (const auto& theirs : world.gather_all(numbers(machine)))
      EXPECT_EQ(theirs, numbers(machine));
    EXPECT_EQ(machine.ranks, ranks_of_world());
    EXPECT_GT(machine.cache_bytes, 0);
    EXPECT_GT(machine.shared_cache_bytes, 0);
  }
}

TEST(MachineHere, has_the_smallest_private_cache_of_any_rank) {
  Options options;
  options.pretend.cache_bytes = 4096 * (rank_of_world() + 1);
  EXPECT_EQ(machine_here(Communicator(MPI_COMM_WORLD), options).cache_bytes, 4096);
}

TEST(MachineHere, has_the_part_of_the_shared_cache_that_falls_to_a_rank_of_the_largest_node) {
  const Communicator world(MPI_COMM_WORLD);
  Options alone, paired;
  alone.pretend.node_sizes = {1};
  paired.pretend.node_sizes = {1, 2};
  alone.effort = paired.effort = Effort::estimate;  // the caches that the system tells
  alone.threads = paired.threads = 1;
  if (caches().level_3 == 0 || caches().level_3_of_core == 0) GTEST_SKIP() << "sizes are not told";
  // One thread uses the cache of its core only.
  const auto part = [](int ranks) {
    return std::min(caches().level_3 / ranks, caches().level_3_of_core);
  };
  EXPECT_EQ(machine_here(world, alone).shared_cache_bytes, part(1));
  EXPECT_EQ(machine_here(world, paired).shared_cache_bytes, part(ranks_of_world() > 2 ? 2 : 1));
}

TEST(MachineHere, pretends_what_the_options_say) {
  Options options;
  options.pretend.cache_bytes = 4096;
  options.pretend.shared_cache_bytes = 65536;
  const Machine machine = machine_here(Communicator(MPI_COMM_WORLD), options);
  EXPECT_EQ(machine.cache_bytes, 4096);
  EXPECT_EQ(machine.shared_cache_bytes, 65536);
}

// Late devices have 2^30 bytes each, of which an eighth is less than 512 MiB.
TEST(MachineHere, leaves_a_part_of_a_device_to_its_context_and_tables) {
  const Communicator world(MPI_COMM_WORLD);
  Options options;
  options.engine = "late";
  RankHere here;
  machine_here(world, options, &here);
  const std::int64_t part = (std::int64_t{1} << 30) / here.device_ranks;
  EXPECT_EQ(here.device_bytes, part - part / 8);
  EXPECT_GE(here.free_device_bytes, 0);
  EXPECT_LE(here.free_device_bytes, here.device_bytes);
  options.device_memory_limit = 12345;
  machine_here(world, options, &here);
  EXPECT_EQ(here.device_bytes, 12345);
  EXPECT_EQ(here.free_device_bytes, 12345);
}

TEST(MachineHere, knows_the_threads_of_every_rank) {
  const Communicator world(MPI_COMM_WORLD);
  Options options;
  options.threads = rank_of_world() + 1;
  const Machine machine = machine_here(world, options);
  for (int rank = 0; rank < world.size(); ++rank) EXPECT_EQ(machine.threads(rank), rank + 1);
  EXPECT_LE(machine_here(world, {}).threads(world.rank()), cores_per_rank(world));
}
