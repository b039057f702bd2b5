// planning/pairwise: rounds are permutations, and each takes its own busiest link.

#include "weft/planning/pairwise.hpp"

#include <gtest/gtest.h>

#include <set>

#include "weft/networks/machine_file.hpp"
#include "weft/networks/network_of.hpp"
#include "weft/planning/cost.hpp"
#include "weft/problem/validated.hpp"

using namespace weft;

namespace {

// A ring of nodes with one rank each, whose messages take no time of their ranks.
MachineModel ring_machine(int nodes, AlltoallvWay way) {
  MachineModel machine;
  machine.message_seconds = machine.synchronization_seconds = 1e-18;
  Torus torus;
  torus.extents = {nodes};
  torus.ties = Torus::Ties::up;
  torus.link = {1e6, 1e-6};
  machine.network = torus;
  machine.alltoallv = way;
  return machine;
}

// The cost of an exchange of slabs in which every rank sends 128 bytes to every other one.
StageCost exchange_on(const MachineModel& machine, int nodes, const std::string& exchange) {
  Problem problem;
  problem.extents = {nodes, nodes, 8};
  const Strategy strategy = parse_strategy(
      fmt::format("fftw | from {0}x1x1 | fft 2,1 | {1} to 1x{0}x1 | fft 0", nodes, exchange));
  return CostPredictor(machine, network_of(machine.network), nodes)
      .cost(strategy, validated(problem), {{"alltoallv"}, {"p2p"}})
      .stages[1];
}

constexpr double message = 128 / 1e6;  // seconds on a link

}  // namespace

TEST(Pairwise, each_round_is_a_permutation_and_each_pair_has_one_round) {
  for (const int size : {2, 3, 4, 6, 8, 12, 16})
    for (int from = 0; from < size; ++from) {
      std::set<int> sends, receives;
      for (int to = 0; to < size; ++to) {
        if (to == from) continue;
        sends.insert(pairwise_round(from, to, size));
        receives.insert(pairwise_round(to, from, size));
      }
      EXPECT_EQ(sends.size(), size - 1U) << size;
      EXPECT_EQ(*sends.begin(), 1);
      EXPECT_EQ(*sends.rbegin(), size - 1);
      EXPECT_EQ(receives, sends) << size;
    }
}

TEST(Pairwise, partners_are_the_same_both_ways_in_groups_of_a_power_of_two) {
  EXPECT_EQ(pairwise_round(2, 7, 8), 5);
  EXPECT_EQ(pairwise_round(7, 2, 8), 5);
  EXPECT_EQ(pairwise_round(1, 5, 6), 4);
  EXPECT_EQ(pairwise_round(5, 1, 6), 2);
}

TEST(Pairwise, groups_are_the_ranks_that_exchange_data) {
  // Pencils: rows of 3, which are neighbours, then columns of 2 ranks.
  const Extents extents{6, 6, 6};
  const auto on = [&](const Dims& grid) { return Decomposition::on_grid(extents, {grid}, 6); };
  const Decomposition first = on({2, 3, 1}), second = on({2, 1, 3}), third = on({1, 2, 3});
  const PairwiseGroups rows(first, second), columns(second, third);
  EXPECT_EQ(rows.round(3, 4), 1);
  EXPECT_EQ(rows.round(3, 5), 2);
  EXPECT_EQ(rows.round(5, 3), 1);
  EXPECT_EQ(columns.round(1, 4), 1);
}

TEST(Pairwise, an_exchange_takes_the_busiest_link_of_every_round) {
  // With r^1, ..., r^7 the busiest link of 8 has 1, 2, 2, 4, 2, 2 and 2 messages, and the longest
  // route is of 1, 2, 3, 4, 3, 2 and 3 links: r^4 goes up from all ranks, and r^7 from 1 to 6.
  const StageCost eight = exchange_on(ring_machine(8, AlltoallvWay::pairwise), 8, "alltoallv");
  EXPECT_NEAR(eight.links, 15 * message, 1e-12);
  EXPECT_NEAR(eight.latency, 18e-6, 1e-12);
  // All of 6 ranks send 1, 2, 3, -2 and -1 links far.
  const StageCost six = exchange_on(ring_machine(6, AlltoallvWay::pairwise), 6, "alltoallv");
  EXPECT_NEAR(six.links, 9 * message, 1e-12);
  EXPECT_NEAR(six.latency, 9e-6, 1e-12);
}

TEST(Pairwise, other_exchanges_and_machines_send_all_at_once) {
  // The busiest link, upwards, has 1 + 2 + 3 messages of up to 3 links, and 4 of those that go half
  // way.
  for (const auto& [way, exchange] :
       {std::pair{AlltoallvWay::pairwise, "p2p"}, {AlltoallvWay::at_once, "alltoallv"}}) {
    const StageCost all = exchange_on(ring_machine(8, way), 8, exchange);
    EXPECT_NEAR(all.links, 10 * message, 1e-12);
    EXPECT_NEAR(all.latency, 4e-6, 1e-12);
  }
}
