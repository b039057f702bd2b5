// grid/cutting: parts of boxes, and redistributions cut into cells.

#include "weft/grid/cutting.hpp"

#include <gtest/gtest.h>

#include "support/decompositions.hpp"
#include "weft/grid/redistribution.hpp"

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::uint64_t cut_pairs = 300;

std::vector<std::pair<int, Box>> as_pairs(const std::vector<BoxPart>& parts) {
  std::vector<std::pair<int, Box>> list;
  for (const BoxPart& part : parts) list.emplace_back(part.part, part.box);
  return list;
}

}  // namespace

TEST(Cutting, numbers_cells_by_what_receivers_need_first) {
  const Cutting cutting{0, 3, 1, 2};
  EXPECT_EQ(cutting.cells(), 6);
  EXPECT_EQ(cutting.cell(2, 0), 2);
  EXPECT_EQ(cutting.cell(0, 1), 3);
  for (int cell = 0; cell < 6; ++cell)
    EXPECT_EQ(cutting.cell(cutting.source_part(cell), cutting.target_part(cell)), cell);
  EXPECT_EQ(cutting.reversed(), (Cutting{1, 2, 0, 3}));
  EXPECT_EQ(cutting.reversed().reversed(), cutting);
}

TEST(Cutting, a_region_lies_in_parts_of_the_whole) {
  const Box whole{{10, 0}, {21, 5}};  // 11 rows: 4, 4, 3
  EXPECT_EQ(as_pairs(parts_of_region({{12, 1}, {20, 3}}, whole, 0, 3)),
            (std::vector<std::pair<int, Box>>{
                {0, {{12, 1}, {14, 3}}}, {1, {{14, 1}, {18, 3}}}, {2, {{18, 1}, {20, 3}}}}));
  EXPECT_EQ(as_pairs(parts_of_region({{14, 0}, {18, 5}}, whole, 0, 3)),
            (std::vector<std::pair<int, Box>>{{1, {{14, 0}, {18, 5}}}}));
  EXPECT_EQ(as_pairs(parts_of_region(whole, whole, 0, 1)),
            (std::vector<std::pair<int, Box>>{{0, whole}}));
  EXPECT_TRUE(parts_of_region({{12, 1}, {12, 3}}, whole, 0, 3).empty());
}

// Two rows in four parts: the first two have one each.
TEST(Cutting, leaves_parts_empty_if_there_are_more_parts_than_rows) {
  const Box whole{{0, 0}, {2, 5}};
  EXPECT_EQ(as_pairs(parts_of_region(whole, whole, 0, 4)),
            (std::vector<std::pair<int, Box>>{{0, {{0, 0}, {1, 5}}}, {1, {{1, 0}, {2, 5}}}}));
}

TEST(Cutting, positions_are_where_parts_meet) {
  EXPECT_EQ(cut_positions({{{10, 0}, {21, 5}}}, 0, 3), (std::vector<std::int64_t>{14, 18}));
  EXPECT_EQ(cut_positions({{{10, 0}, {21, 5}}, {{0, 0}, {9, 5}}, {{10, 5}, {21, 9}}}, 0, 3),
            (std::vector<std::int64_t>{3, 6, 14, 18}));
  EXPECT_TRUE(cut_positions({{{10, 0}, {21, 5}}}, 0, 1).empty());
}

TEST(Cutting, no_part_of_a_region_crosses_a_position) {
  for (std::uint64_t seed = 1; seed <= cut_pairs; ++seed) {
    Dice dice(seed);
    const Box whole{{dice.between(0, 9)}, {dice.between(10, 40)}};
    const int parts = static_cast<int>(dice.between(1, 6));
    const std::int64_t lo = dice.between(whole.lo[0], whole.hi[0] - 1);
    const Box region{{lo}, {dice.between(lo + 1, whole.hi[0])}};
    std::int64_t end = region.lo[0];
    for (const BoxPart& part : parts_of_region(region, whole, 0, parts)) {
      EXPECT_EQ(part.box.lo[0], end);
      end = part.box.hi[0];
      for (const std::int64_t cut : cut_positions({whole}, 0, parts))
        EXPECT_FALSE(part.box.lo[0] < cut && cut < part.box.hi[0]) << "seed " << seed;
    }
    EXPECT_EQ(end, region.hi[0]);
  }
}

TEST(CutRedistribution, slabs_to_slabs_across) {
  // Rows 0 and 1 leave one after the other; columns 0, 1 and then 2 of a taker come.
  const Redistribution moves(Decomposition::on_grid({4, 6}, {{2, 1}}, 2),
                             Decomposition::on_grid({4, 6}, {{1, 2}}, 2), {0, 2, 1, 2});
  EXPECT_EQ(with_peer(moves.sends(0), 1), (std::vector<Transfer>{{1, 0, 0, {{0, 3}, {1, 5}}, 0},
                                                                 {1, 0, 0, {{1, 3}, {2, 5}}, 1},
                                                                 {1, 0, 0, {{0, 5}, {1, 6}}, 2},
                                                                 {1, 0, 0, {{1, 5}, {2, 6}}, 3}}));
}

TEST(CutRedistribution, mirror_what_a_sends_to_b_is_what_b_receives_from_a_in_the_same_order) {
  for (std::uint64_t seed = 1; seed <= cut_pairs; ++seed) {
    const Redistribution moves = random_redistribution(seed, true);
    for (int a = 0; a < moves.owners(); ++a)
      for (int b = 0; b < moves.owners(); ++b) {
        auto sent = with_peer(moves.sends(a), b);
        for (Transfer& transfer : sent) transfer.peer = a;
        ASSERT_EQ(sent, with_peer(moves.receives(b), a)) << "seed " << seed;
      }
  }
}

TEST(CutRedistribution, conservation_every_point_moves_in_the_cell_of_its_parts) {
  for (std::uint64_t seed = 1; seed <= cut_pairs; ++seed) {
    const Redistribution moves = random_redistribution(seed, true);
    const Cutting& cutting = moves.cutting();
    const auto part_of_point = [](const Box& whole, int axis, int parts, const Dims& point) {
      const auto cuts = cut_positions({whole}, axis, parts);
      return std::upper_bound(cuts.begin(), cuts.end(), point[axis]) - cuts.begin();
    };
    for (int rank = 0; rank < moves.owners(); ++rank) {
      std::int64_t given = 0, taken = 0;
      for (const Transfer& transfer : moves.receives(rank)) taken += transfer.box.volume();
      for (const Transfer& transfer : moves.sends(rank)) {
        given += transfer.box.volume();
        const Box from = moves.source().boxes(rank)[static_cast<std::size_t>(transfer.source_box)];
        const Box to =
            moves.target().boxes(transfer.peer)[static_cast<std::size_t>(transfer.target_box)];
        for_each_index(transfer.box, [&](const Dims& at) {
          ASSERT_TRUE(from.contains(at) && to.contains(at));
          ASSERT_EQ(cutting.source_part(transfer.cell),
                    part_of_point(from, cutting.source_axis, cutting.source_parts, at));
          ASSERT_EQ(cutting.target_part(transfer.cell),
                    part_of_point(to, cutting.target_axis, cutting.target_parts, at));
        });
      }
      ASSERT_EQ(given, moves.source().volume(rank)) << "seed " << seed;
      ASSERT_EQ(taken, moves.target().volume(rank)) << "seed " << seed;
    }
  }
}

TEST(CutRedistribution, reversal_swaps_the_parts_of_cells) {
  for (std::uint64_t seed = 1; seed <= cut_pairs; ++seed) {
    const Redistribution moves = random_redistribution(seed, true), back = moves.reversed();
    const Cutting &there = moves.cutting(), &here = back.cutting();
    for (int rank = 0; rank < moves.owners(); ++rank) {
      auto given = back.sends(rank), taken = moves.receives(rank);
      for (Transfer& transfer : given) {
        std::swap(transfer.source_box, transfer.target_box);
        transfer.cell =
            there.cell(here.target_part(transfer.cell), here.source_part(transfer.cell));
      }
      const auto order = [](const Transfer& a, const Transfer& b) {
        return std::tie(a.peer, a.source_box, a.target_box, a.cell) <
               std::tie(b.peer, b.source_box, b.target_box, b.cell);
      };
      std::sort(given.begin(), given.end(), order);
      std::sort(taken.begin(), taken.end(), order);
      ASSERT_EQ(given, taken) << "seed " << seed;
    }
  }
}
