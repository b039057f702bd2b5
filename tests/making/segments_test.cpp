// making/segments: one node sends the segments that the other expects, and all ranks take part.

#include "weft/making/segments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
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

// If one rank sends to another, the other one sends back, so that each pair of ranks needs one
// connection.
TEST(Segments, have_the_same_ranks_in_both_directions) {
  for (const std::vector<int>& sizes : {std::vector{4, 4}, std::vector{3, 3, 3}}) {
    const Machine machine = machine_of(sizes);
    const Extents extents{36, 72, 72};
    const Redistribution moves(
        Decomposition::on_grid(extents, {{machine.ranks, 1, 1}}, machine.ranks),
        Decomposition::on_grid(extents, {{1, machine.ranks, 1}}, machine.ranks));
    std::set<std::pair<int, int>> pairs, reversed;
    for (int node = 0; node < machine.nodes(); ++node)
      for (const NodeSegment& segment : NodeTraffic(moves, machine, node, 16).sent) {
        pairs.insert({segment.sender, segment.receiver});
        reversed.insert({segment.receiver, segment.sender});
      }
    EXPECT_EQ(pairs, reversed);
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
  EXPECT_EQ(cell_by_sender, (std::map<int, int>{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
}

namespace {

constexpr std::int64_t quarter_mib = (256 << 10) / 16;  // elements of 16 bytes

// What the busiest rank of any node sends or receives, as a part of an even share, and the smallest
// message of a cell between two nodes.
struct Busiest {
  double share = 0;
  std::int64_t least_message = std::numeric_limits<std::int64_t>::max();

  Busiest(const Redistribution& moves, const Machine& machine) {
    for (int node = 0; node < machine.nodes(); ++node) {
      const NodeTraffic traffic(moves, machine, node, quarter_mib / 4);
      for (const auto* const side : {&traffic.sent, &traffic.received}) {
        std::map<int, std::int64_t> by_rank;
        std::map<std::pair<int, int>, std::int64_t> messages;  // by cell and other node
        std::int64_t all = 0;
        for (const NodeSegment& segment : *side) {
          const bool is_sent = side == &traffic.sent;
          by_rank[is_sent ? segment.sender : segment.receiver] += segment.count;
          messages[{segment.cell, machine.node(is_sent ? segment.receiver : segment.sender)}] +=
              segment.count;
          all += segment.count;
        }
        const double even =
            static_cast<double>(all) / static_cast<double>(machine.ranks_of(node).size());
        for (const auto& [rank, count] : by_rank)
          share = std::max(share, static_cast<double>(count) / even);
        for (const auto& [cell, count] : messages) least_message = std::min(least_message, count);
      }
    }
  }
};

// Slabs to slabs along another axis, with messages of 256 KiB or somewhat more in each cell.
Redistribution slabs(const std::vector<int>& sizes, const Cutting& cutting) {
  const int ranks = machine_of(sizes).ranks;
  const int fewest = *std::min_element(sizes.begin(), sizes.end());
  const std::int64_t points = (quarter_mib + quarter_mib / 8) * cutting.cells() *
                              ((ranks * ranks + fewest * fewest - 1) / (fewest * fewest));
  const auto side = std::max<std::int64_t>(2 * ranks, std::llround(std::cbrt(points)));
  const std::int64_t last = std::max<std::int64_t>(8, points / (side * side) / 8 * 8 + 8);
  const Extents extents{side, side, last};
  return {Decomposition::on_grid(extents, {{ranks, 1, 1}}, ranks),
          Decomposition::on_grid(extents, {{1, ranks, 1}}, ranks), cutting};
}

}  // namespace

// Whether all nodes have as many ranks or not, whether messages are cut into chunks, and in both
// directions.
TEST(Segments, are_shared_out_evenly_from_a_quarter_of_a_mebibyte_on) {
  Dice dice(7);
  int checked = 0;
  for (int nodes = 2; nodes <= 9; ++nodes)
    for (int round = 1; round <= 16; ++round) {
      std::vector<int> sizes;
      for (int node = 0; node < nodes; ++node)
        sizes.push_back(round <= 8 ? round : static_cast<int>(dice.between(1, 8)));
      const Machine machine = machine_of(sizes);
      for (const Cutting& cutting : {Cutting{}, Cutting{2, 4, 2, 4}, Cutting{1, 2, 0, 2}}) {
        const Redistribution moves = slabs(sizes, cutting);
        for (const Redistribution& either : {moves, moves.reversed()}) {
          const Busiest busiest(either, machine);
          // Where the cuts of two axes meet nodes, some cells have few points.
          if (busiest.least_message < quarter_mib) continue;
          ++checked;
          EXPECT_LE(busiest.share, 1.1) << fmt::format(
              "nodes of {} ranks, {}, {} x {} parts", fmt::join(sizes, ", "),
              to_string(moves.source().extents()), cutting.source_parts, cutting.target_parts);
        }
      }
    }
  EXPECT_GE(checked, 600);
}

TEST(Segments, are_shared_out_evenly_where_chunks_wait_for_each_other) {
  // The bytes that a rank sends are even in each cell, so that all ranks drive the link all the
  // time.
  const std::vector<int> sizes{3, 3, 3};
  const Machine machine = machine_of(sizes);
  const NodeTraffic traffic(slabs(sizes, {2, 4, 2, 4}), machine, 0, quarter_mib / 4);
  std::map<int, std::map<int, std::int64_t>> by_cell;
  for (const NodeSegment& segment : traffic.sent)
    by_cell[segment.cell][segment.sender] += segment.count;
  EXPECT_EQ(by_cell.size(), 4U);
  for (const auto& [cell, by_rank] : by_cell) {
    EXPECT_EQ(by_rank.size(), 3U);
    std::int64_t all = 0;
    for (const auto& [rank, count] : by_rank) all += count;
    for (const auto& [rank, count] : by_rank) EXPECT_LE(count * 3, all * 11 / 10);
  }
}

// Ranks share messages out evenly with one cut less than there are ranks, and as many less as
// messages end where shares do; with still fewer where a rank may have a little more than others.
// Small messages are not cut.
TEST(Segments, are_no_more_than_needed) {
  const auto segments = [&](const std::vector<int>& sizes, std::int64_t least) {
    const Machine machine = machine_of(sizes);
    const std::int64_t side = 2 * machine.ranks;
    const Extents extents{side, side, 32};
    const Redistribution moves(
        Decomposition::on_grid(extents, {{machine.ranks, 1, 1}}, machine.ranks),
        Decomposition::on_grid(extents, {{1, machine.ranks, 1}}, machine.ranks));
    return NodeTraffic(moves, machine, 0, least).sent.size();
  };
  for (int nodes = 2; nodes <= 9; ++nodes)
    for (int ranks = 1; ranks <= 8; ++ranks)
      EXPECT_LE(segments(std::vector(static_cast<std::size_t>(nodes), ranks), 1),
                static_cast<std::size_t>(nodes - 1 + ranks - std::gcd(nodes - 1, ranks)))
          << nodes << " nodes of " << ranks;
  EXPECT_EQ(segments({2, 2}, 1), 2U);
  EXPECT_EQ(segments({2, 2, 2}, 1), 2U);
  EXPECT_EQ(segments({3, 3, 3}, 1), 4U);
  EXPECT_EQ(segments({2, 2, 2, 2}, 1), 4U);
  EXPECT_EQ(segments({4, 4, 4, 4, 4}, 1), 4U);
  EXPECT_EQ(segments({8, 8, 8, 8, 8, 8, 8, 8}, 1), 14U);
  EXPECT_EQ(segments({2, 2, 2}, 1024), 2U);
  EXPECT_EQ(segments({2, 2}, 1 << 20), 1U);
  EXPECT_EQ(segments({4, 4, 4, 4}, 1 << 20), 3U);
}

// Uneven nodes cut a message where either of them needs a cut, as a rule.
TEST(Segments, of_uneven_nodes_are_at_most_one_more_for_each_rank_of_both_sides) {
  Dice dice(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<int> sizes;
    for (auto nodes = dice.between(2, 9); nodes > 0; --nodes)
      sizes.push_back(static_cast<int>(dice.between(1, 8)));
    const Machine machine = machine_of(sizes);
    const Redistribution moves = slabs(sizes, {});
    std::int64_t all = 0;
    for (int node = 0; node < machine.nodes(); ++node)
      all += std::ssize(NodeTraffic(moves, machine, node, 1).sent);
    const std::int64_t pairs = machine.nodes() * (machine.nodes() - 1);
    EXPECT_LE(all, pairs + 2 * (machine.ranks - machine.nodes()))
        << fmt::format("nodes of {} ranks", fmt::join(sizes, ", "));
  }
}
