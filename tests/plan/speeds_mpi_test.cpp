// plan/speeds: measured where it makes sense, the same on all ranks, and once.

#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/speeds.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/cores.hpp"
#include "weft/comm/link_probe.hpp"
#include "weft/memory/walk_probe.hpp"

using namespace weft;

namespace {

// Each rank on a node of its own, in pairs, or all on one, with one thread.
std::vector<int> nodes_of(int ranks, int of_node) {
  std::vector<int> nodes(static_cast<std::size_t>(ranks));
  std::iota(nodes.begin(), nodes.end(), 0);
  for (int& node : nodes) node /= of_node;
  return nodes;
}

Machine machine_of(const Communicator& world, int of_node) {
  Machine machine;
  machine.ranks = world.size();
  machine.node_of_rank = nodes_of(world.size(), of_node);
  return machine;
}

bool takes_turns(const Communicator& world) {
  return world.max(std::int64_t{core_share(world).takes_turns}) != 0;
}

void expect_same(const Communicator& world, const Speeds& speeds) {
  EXPECT_NO_THROW(
      require_same(world,
                   fmt::format("{} {} {} {} {} {} {}", speeds.walked_bytes_per_second,
                               speeds.node_bytes_per_second, speeds.message_seconds,
                               speeds.cached_bytes_per_second, speeds.transform_seconds_per_point,
                               speeds.message_seconds_per_byte, speeds.message_overhead_seconds),
                   "speeds"));
}

}  // namespace

TEST(Speeds, of_links_are_measured_between_any_nodes) {
  const Communicator world(MPI_COMM_WORLD);
  for (const int of_node : {1, 2, world.size()}) {
    const LinkProbe probe = probed_links(world, nodes_of(world.size(), of_node));
    EXPECT_GT(probe.bytes_per_second, 1e4);
    EXPECT_LT(probe.bytes_per_second, 1e13);
    EXPECT_GT(probe.message_seconds, 0);
    EXPECT_LT(probe.message_seconds, 10);
    EXPECT_GT(probe.overhead_seconds, 0);
    EXPECT_LT(probe.overhead_seconds, 10);
    EXPECT_GE(probe.handling_seconds_per_byte, 0);
    EXPECT_LT(probe.handling_seconds_per_byte, 1e-4);
  }
  // Ranks of the nodes in any order.
  std::vector<int> nodes = nodes_of(world.size(), 2);
  std::reverse(nodes.begin(), nodes.end());
  EXPECT_GT(probed_links(world, nodes).bytes_per_second, 1e4);
}

TEST(Speeds, of_memory_are_plausible) {
  for (const int threads : {1, 3}) {
    WalkProbe walk(threads, 1 << 20);
    EXPECT_EQ(walk.in_memory(), 0);
    double before = 0;
    for (int i = 0; i < 3; ++i) {
      walk.run();
      EXPECT_GE(walk.in_memory(), before);
      before = walk.in_memory();
    }
    EXPECT_GT(walk.in_memory(), 1e7);
    EXPECT_LT(walk.in_memory(), 1e13);
    EXPECT_GT(walk.in_shared_cache(), 1e7);
    EXPECT_LT(walk.in_shared_cache(), 1e14);
  }
  WalkProbe in_memory_only(1, 0);
  in_memory_only.run();
  EXPECT_EQ(in_memory_only.in_shared_cache(), 0);
}

TEST(Speeds, are_the_same_on_all_ranks_and_measured_once) {
  const Communicator world(MPI_COMM_WORLD);
  for (const int of_node : {1, world.size()}) {
    const Machine machine = machine_of(world, of_node);
    const Speeds speeds = measured_speeds(world, machine, {}, core_share(world));
    expect_same(world, speeds);
    EXPECT_EQ(speeds.are_known(), !takes_turns(world));
    EXPECT_EQ(speeds.are_links_known(), machine.nodes() > 1 && !takes_turns(world));
    EXPECT_EQ(speeds.transform_seconds_per_point > 0, speeds.are_known());
    EXPECT_EQ(measured_speeds(world, machine, {}, core_share(world)), speeds);
  }
}

TEST(Speeds, are_not_measured_where_nothing_may_be_measured) {
  const Communicator world(MPI_COMM_WORLD);
  const Machine machine = machine_of(world, 1);
  EXPECT_EQ(measured_speeds(world, machine, test::quick(), core_share(world)), Speeds{});
  Options reproducible;
  reproducible.reproducible = true;
  EXPECT_EQ(measured_speeds(world, machine, reproducible, core_share(world)), Speeds{});
}

TEST(Speeds, are_not_measured_by_threads_that_take_turns) {
  const Communicator world(MPI_COMM_WORLD);
  Machine machine = machine_of(world, 1);
  machine.threads_of_rank.assign(static_cast<std::size_t>(world.size()), 4096);
  EXPECT_EQ(measured_speeds(world, machine, {}, core_share(world)), Speeds{});
}

TEST(Speeds, are_measured_for_pretended_caches) {
  const Communicator world(MPI_COMM_WORLD);
  Machine machine = machine_of(world, 1);
  machine.cache_bytes = std::int64_t{1} << 40;
  EXPECT_NO_THROW(measured_speeds(world, machine, {}, core_share(world)));
}
