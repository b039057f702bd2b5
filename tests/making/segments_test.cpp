// making/segments: one node sends the segments that the other expects, and all ranks take part.

#include "weft/making/segments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "support/decompositions.hpp"

using namespace weft;
using namespace weft::test;

namespace {

Machine machine_of(const std::vector<int>& sizes) {
  Machine machine{0, {}};
  for (std::size_t node = 0; node < sizes.size(); ++node)
    machine.node_of_rank.insert(machine.node_of_rank.end(), static_cast<std::size_t>(sizes[node]),
                                static_cast<int>(node));
  machine.ranks = static_cast<int>(machine.node_of_rank.size());
  return machine;
}

std::string text_of(const NodeSegment& segment) {
  std::string text = fmt::format("cell {} {}>{} {}:", segment.cell, segment.sender,
                                 segment.receiver, segment.count);
  for (const Fragment& fragment : segment.fragments)
    text += fmt::format(" {}>{} {} @{}", fragment.source_rank, fragment.target_rank,
                        to_string(fragment.box), fragment.offset);
  return text;
}

Redistribution random_moves(Dice& dice, const Extents& extents, int ranks) {
  const Decomposition from = random_decomposition(dice, extents, ranks);
  const Decomposition to = random_decomposition(dice, extents, ranks);
  return {from, to, dice.chance(50) ? Cutting{} : random_cutting(dice, extents)};
}

const std::vector<std::vector<int>> node_sizes{{1},    {1, 1},    {2, 2},
                                               {1, 3}, {2, 2, 3}, {4, 1, 1, 6}};

}  // namespace

TEST(Segments, both_sides_compute_the_same) {
  for (const auto& sizes : node_sizes)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Dice dice(seed);
      const Machine machine = machine_of(sizes);
      const Extents extents = random_extents(dice, 2000);
      const Redistribution moves = random_moves(dice, extents, machine.ranks);
      std::map<std::pair<int, int>, std::vector<std::string>> sent, received;
      std::set<std::array<int, 3>> tags;
      for (int node = 0; node < machine.nodes(); ++node) {
        const NodeTraffic traffic(moves, machine, node, 10);
        for (const NodeSegment& segment : traffic.sent) {
          EXPECT_EQ(machine.node(segment.sender), node);
          sent[{node, machine.node(segment.receiver)}].push_back(text_of(segment));
          // A sender, a receiver and a cell tell it from all others.
          EXPECT_TRUE(tags.insert({segment.sender, segment.receiver, segment.cell}).second);
        }
        for (const NodeSegment& segment : traffic.received) {
          EXPECT_EQ(machine.node(segment.receiver), node);
          received[{machine.node(segment.sender), node}].push_back(text_of(segment));
        }
      }
      EXPECT_EQ(sent, received) << "seed " << seed;
    }
}

TEST(Segments, hold_every_point_that_changes_its_node_once) {
  for (const auto& sizes : node_sizes)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Dice dice(seed);
      const Machine machine = machine_of(sizes);
      const Extents extents = random_extents(dice, 2000);
      const Redistribution moves = random_moves(dice, extents, machine.ranks);
      std::map<std::string, int> count;  // by source rank, target rank and point
      const auto key = [](int source_rank, int target_rank, const Dims& at) {
        return fmt::format("{}>{} {}", source_rank, target_rank, to_string(at));
      };
      std::map<std::string, int> cell;
      for (int rank = 0; rank < machine.ranks; ++rank)
        for (const Transfer& transfer : moves.sends(rank))
          for_each_index(transfer.box, [&](const Dims& at) {
            cell[key(rank, transfer.peer, at)] = transfer.cell;
          });
      for (int node = 0; node < machine.nodes(); ++node)
        for (const NodeSegment& segment : NodeTraffic(moves, machine, node, 10).sent) {
          std::int64_t end = 0;
          for (const Fragment& fragment : segment.fragments) {
            EXPECT_EQ(fragment.offset, end);
            end += fragment.box.volume();
            for_each_index(fragment.box, [&](const Dims& at) {
              ++count[key(fragment.source_rank, fragment.target_rank, at)];
              EXPECT_EQ(cell[key(fragment.source_rank, fragment.target_rank, at)], segment.cell);
            });
          }
          EXPECT_EQ(end, segment.count);
        }
      for (int rank = 0; rank < machine.ranks; ++rank)
        for (const Transfer& transfer : moves.sends(rank))
          for_each_index(transfer.box, [&](const Dims& at) {
            const int wanted = machine.node(rank) != machine.node(transfer.peer);
            EXPECT_EQ(count[key(rank, transfer.peer, at)], wanted) << "seed " << seed;
          });
    }
}

// Two nodes of four ranks: all four send, and their segments differ by no more than a layer.
TEST(Segments, keep_every_rank_busy_with_two_nodes) {
  const Machine machine = machine_of({4, 4});
  const Extents extents{64, 64, 64};
  const Redistribution moves(Decomposition::on_grid(extents, {{8, 1, 1}}, 8),
                             Decomposition::on_grid(extents, {{1, 8, 1}}, 8));
  for (int node : {0, 1}) {
    const NodeTraffic traffic(moves, machine, node, 1024);
    ASSERT_EQ(traffic.sent.size(), 4U);
    std::map<int, std::int64_t> by_sender, by_receiver;
    for (const NodeSegment& segment : traffic.sent) {
      by_sender[segment.sender] += segment.count;
      by_receiver[segment.receiver] += segment.count;
    }
    EXPECT_EQ(by_sender.size(), 4U);
    EXPECT_EQ(by_receiver.size(), 4U);
    for (const auto& [rank, count] : by_sender) EXPECT_EQ(count, 64 * 64 * 64 / 4 / 4);
  }
}

// Cells too small to be cut are sent by one rank after the other.
TEST(Segments, share_out_small_cells) {
  const Machine machine = machine_of({4, 4});
  const Extents extents{64, 64, 64};
  const Redistribution moves(Decomposition::on_grid(extents, {{8, 1, 1}}, 8),
                             Decomposition::on_grid(extents, {{1, 8, 1}}, 8), {0, 4, 2, 1});
  const NodeTraffic traffic(moves, machine, 0, 64 * 64 * 64 / 4 / 4);
  std::map<int, int> cell_by_sender;
  for (const NodeSegment& segment : traffic.sent) cell_by_sender[segment.sender] = segment.cell;
  EXPECT_EQ(cell_by_sender, (std::map<int, int>{{1, 0}, {2, 1}, {3, 2}, {0, 3}}));
}

// With enough partners one message a pair is enough, and small ones are not cut.
TEST(Segments, are_no_more_than_needed) {
  const Extents extents{60, 60, 60};
  const auto segments = [&](const std::vector<int>& sizes, std::int64_t least) {
    const Machine machine = machine_of(sizes);
    const Redistribution moves(
        Decomposition::on_grid(extents, {{machine.ranks, 1, 1}}, machine.ranks),
        Decomposition::on_grid(extents, {{1, machine.ranks, 1}}, machine.ranks));
    return NodeTraffic(moves, machine, 0, least).sent.size();
  };
  EXPECT_EQ(segments({2, 2, 2, 2}, 1024), 3U);
  EXPECT_EQ(segments({2, 2}, 1024), 2U);
  EXPECT_EQ(segments({2, 2}, 1 << 20), 1U);
  EXPECT_EQ(segments({1, 1}, 1), 1U);
}
