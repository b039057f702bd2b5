// planning/traffic: what the busiest rank moves, counted box by box; a sample of ranks may miss it,
// but not that something leaves a node.

#include "weft/planning/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "support/dice.hpp"

namespace weft {
namespace {

Decomposition on_grid(const Dims& parts) {
  return Decomposition::on_grid({256, 4, 4}, {parts}, 256);
}

// Ranks 2a and 2a + 1 exchange data; the only pair on two nodes is 126 and 127.
Machine nodes_of_127() {
  Machine machine;
  machine.ranks = 256;
  for (int rank = 0; rank < 256; ++rank) machine.node_of_rank.push_back(rank / 127);
  return machine;
}

}  // namespace

TEST(Traffic, between_nodes_is_found_where_no_sampled_rank_has_any) {
  const Traffic moved = busiest_traffic(on_grid({128, 2, 1}), on_grid({128, 1, 2}), nodes_of_127());
  EXPECT_GT(moved.far_points, 0);
  EXPECT_GT(moved.far_messages, 0);
}

TEST(Traffic, within_nodes_is_told_from_that) {
  Machine machine = nodes_of_127();
  for (int rank = 0; rank < 256; ++rank)
    machine.node_of_rank[static_cast<std::size_t>(rank)] = rank / 128;
  EXPECT_EQ(busiest_traffic(on_grid({128, 2, 1}), on_grid({128, 1, 2}), machine).far_points, 0);
}

// What each rank sends (or, with `from` and `to` exchanged, receives), piece by piece.
static Traffic counted(const Decomposition& from, const Decomposition& to, const Machine& machine) {
  Traffic most;
  for (int rank = 0; rank < machine.ranks; ++rank) {
    Traffic mine;
    for (const Box& box : from.boxes(rank))
      to.for_each_overlap(box, [&](int peer, int, const Box& region) {
        if (peer == rank) return;
        mine.points += region.volume();
        ++mine.messages;
        if (machine.node(peer) == machine.node(rank)) return;
        mine.far_points += region.volume();
        ++mine.far_messages;
      });
    most.points = std::max(most.points, mine.points);
    most.messages = std::max(most.messages, mine.messages);
    most.far_points = std::max(most.far_points, mine.far_points);
    most.far_messages = std::max(most.far_messages, mine.far_messages);
  }
  return most;
}

TEST(Traffic, is_what_counting_finds_on_any_grids_and_nodes) {
  test::Dice dice(20261123);
  for (int round = 0; round < 400; ++round) {
    const Extents extents{dice.between(1, 20), dice.between(1, 20), dice.between(1, 20)};
    const int ranks = static_cast<int>(dice.between(1, 40));
    const auto grid = [&] {
      Dims parts = Dims::filled(3, 1);
      for (int left = ranks; left > 1;) {
        int prime = 2;
        while (left % prime != 0) ++prime;
        parts[static_cast<int>(dice.between(0, 2))] *= prime;
        left /= prime;
      }
      return Decomposition::on_grid(extents, {parts}, ranks);
    };
    Machine machine;
    machine.ranks = ranks;
    const int size = static_cast<int>(dice.between(1, 9));
    const bool in_turn = dice.chance(30);  // rank after rank to node after node
    for (int rank = 0; rank < ranks; ++rank)
      machine.node_of_rank.push_back(in_turn ? rank % ((ranks + size - 1) / size) : rank / size);
    const Decomposition from = grid(), to = grid();
    const Traffic found = busiest_traffic(from, to, machine), out = counted(from, to, machine),
                  in = counted(to, from, machine);
    ASSERT_EQ(found.points, std::max(out.points, in.points)) << round;
    ASSERT_EQ(found.messages, std::max(out.messages, in.messages)) << round;
    if (machine.nodes() == 1) continue;
    ASSERT_EQ(found.far_points, std::max(out.far_points, in.far_points)) << round;
    ASSERT_EQ(found.far_messages, std::max(out.far_messages, in.far_messages)) << round;
  }
}

// Also where no rank of the sample sends anything to another node.
TEST(TrafficMemo, tells_what_busiest_traffic_tells_in_both_directions) {
  test::Dice dice(7);
  for (int round = 0; round < 60; ++round) {
    Machine machine;
    machine.ranks = 12 * static_cast<int>(dice.between(1, 40));
    const int size = static_cast<int>(dice.between(1, machine.ranks));
    for (int rank = 0; rank < machine.ranks; ++rank) machine.node_of_rank.push_back(rank / size);
    const Extents extents{dice.between(1, 130), dice.between(1, 9), dice.between(1, 9)};
    const int of_first = machine.ranks / 3, of_second = machine.ranks / 4;
    const auto grid = [&](const Dims& parts) {
      return Decomposition::on_grid(extents, {parts}, machine.ranks);
    };
    const std::vector<Decomposition> grids{grid({of_first, 3, 1}), grid({of_first, 1, 3}),
                                           grid({1, of_second, 4}), grid({4, of_second, 1})};
    TrafficMemo memo(machine);
    for (int again = 0; again < 2; ++again)
      for (const Decomposition& from : grids)
        for (const Decomposition& to : grids) {
          const Traffic known = memo.between(from, to), direct = busiest_traffic(from, to, machine);
          ASSERT_EQ(
              std::tie(known.points, known.messages, known.far_points, known.far_messages),
              std::tie(direct.points, direct.messages, direct.far_points, direct.far_messages))
              << round << ": " << to_string(from) << " to " << to_string(to);
        }
  }
}

TEST(TrafficMemo, does_not_depend_on_the_direction_where_the_sample_sends_nothing_away) {
  Machine machine;
  machine.ranks = 384;
  for (int rank = 0; rank < machine.ranks; ++rank) machine.node_of_rank.push_back(rank / 383);
  const auto first = Decomposition::on_grid({128, 4, 5}, {{128, 3, 1}}, machine.ranks);
  const auto second = Decomposition::on_grid({128, 4, 5}, {{128, 1, 3}}, machine.ranks);
  EXPECT_EQ(busiest_traffic(first, second, machine).far_points, 4);
  EXPECT_EQ(busiest_traffic(second, first, machine).far_points, 4);
}

}  // namespace weft
