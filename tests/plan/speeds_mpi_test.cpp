// plan/speeds: measured where it makes sense, the same on all ranks, and once.

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

// Each rank on a node of its own, in pairs, and all on one.
std::vector<int> nodes_of(int ranks, int of_node) {
  std::vector<int> nodes(static_cast<std::size_t>(ranks));
  std::iota(nodes.begin(), nodes.end(), 0);
  for (int& node : nodes) node /= of_node;
  return nodes;
}

bool takes_turns(const Communicator& world) {
  return world.max(std::int64_t{core_share(world).takes_turns}) != 0;
}

void expect_same(const Communicator& world, const Speeds& speeds) {
  EXPECT_NO_THROW(require_same(world,
                               fmt::format("{} {} {}", speeds.walked_bytes_per_second,
                                           speeds.node_bytes_per_second, speeds.message_seconds),
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
  }
  // Ranks of the nodes in any order.
  std::vector<int> nodes = nodes_of(world.size(), 2);
  std::reverse(nodes.begin(), nodes.end());
  EXPECT_GT(probed_links(world, nodes).bytes_per_second, 1e4);
}

TEST(Speeds, of_memory_are_plausible) {
  EXPECT_GT(probed_walk(), 1e7);
  EXPECT_LT(probed_walk(), 1e13);
}

TEST(Speeds, are_the_same_on_all_ranks_and_measured_once) {
  const Communicator world(MPI_COMM_WORLD);
  const auto nodes = nodes_of(world.size(), 1);
  const Speeds speeds = measured_speeds(world, nodes, {});
  expect_same(world, speeds);
  EXPECT_EQ(speeds.are_known(), world.size() > 1 && !takes_turns(world));
  EXPECT_EQ(measured_speeds(world, nodes, {}), speeds);
}

TEST(Speeds, are_not_measured_where_nothing_may_be_measured) {
  const Communicator world(MPI_COMM_WORLD);
  const auto nodes = nodes_of(world.size(), 1);
  EXPECT_EQ(measured_speeds(world, nodes, test::quick()), Speeds{});
  Options reproducible;
  reproducible.reproducible = true;
  EXPECT_EQ(measured_speeds(world, nodes, reproducible), Speeds{});
  EXPECT_EQ(measured_speeds(world, nodes_of(world.size(), world.size()), {}), Speeds{});
}
