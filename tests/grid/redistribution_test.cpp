// grid/redistribution: mirror, reversal and conservation over random pairs of decompositions.

#include "weft/grid/redistribution.hpp"

#include <gtest/gtest.h>

#include "support/decompositions.hpp"

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::uint64_t pairs = 400;

}  // namespace

TEST(Redistribution, slabs_to_slabs_across) {
  const Redistribution moves(Decomposition::on_grid({4, 6}, {{2, 1}}, 2),
                             Decomposition::on_grid({4, 6}, {{1, 2}}, 2));
  EXPECT_EQ(moves.sends(0),
            (std::vector<Transfer>{{0, 0, 0, {{0, 0}, {2, 3}}}, {1, 0, 0, {{0, 3}, {2, 6}}}}));
  EXPECT_EQ(moves.receives(0),
            (std::vector<Transfer>{{0, 0, 0, {{0, 0}, {2, 3}}}, {1, 0, 0, {{2, 0}, {4, 3}}}}));
}

TEST(Redistribution, mirror_what_a_sends_to_b_is_what_b_receives_from_a_in_the_same_order) {
  for (std::uint64_t seed = 1; seed <= pairs; ++seed) {
    const Redistribution moves = random_redistribution(seed, false);
    for (int a = 0; a < moves.owners(); ++a)
      for (int b = 0; b < moves.owners(); ++b) {
        const auto sent = with_peer(moves.sends(a), b), taken = with_peer(moves.receives(b), a);
        ASSERT_EQ(sent.size(), taken.size()) << "seed " << seed;
        for (std::size_t i = 0; i < sent.size(); ++i) {
          ASSERT_EQ(sent[i].box, taken[i].box) << "seed " << seed;
          ASSERT_EQ(sent[i].source_box, taken[i].source_box);
          ASSERT_EQ(sent[i].target_box, taken[i].target_box);
        }
      }
  }
}

TEST(Redistribution, reversal_swaps_sends_and_receives) {
  for (std::uint64_t seed = 1; seed <= pairs; ++seed) {
    const Redistribution moves = random_redistribution(seed, false), back = moves.reversed();
    EXPECT_EQ(back.source(), moves.target());
    for (int rank = 0; rank < moves.owners(); ++rank) {
      auto given = back.sends(rank);
      for (auto& transfer : given) std::swap(transfer.source_box, transfer.target_box);
      auto taken = moves.receives(rank);
      const auto by_box = [](const Transfer& a, const Transfer& b) {
        return std::tie(a.peer, a.source_box, a.target_box) <
               std::tie(b.peer, b.source_box, b.target_box);
      };
      std::sort(given.begin(), given.end(), by_box);
      ASSERT_EQ(given, taken) << "seed " << seed;
    }
  }
}

TEST(Redistribution, conservation_of_volume_on_every_rank) {
  for (std::uint64_t seed = 1; seed <= pairs; ++seed) {
    const Redistribution moves = random_redistribution(seed, false);
    for (int rank = 0; rank < moves.owners(); ++rank) {
      std::int64_t given = 0, taken = 0;
      for (const auto& transfer : moves.sends(rank)) given += transfer.box.volume();
      for (const auto& transfer : moves.receives(rank)) taken += transfer.box.volume();
      ASSERT_EQ(given, moves.source().volume(rank)) << "seed " << seed;
      ASSERT_EQ(taken, moves.target().volume(rank)) << "seed " << seed;
    }
  }
}

TEST(Redistribution, transfers_lie_in_the_boxes_they_name) {
  for (std::uint64_t seed = 1; seed <= pairs; ++seed) {
    const Redistribution moves = random_redistribution(seed, false);
    for (int rank = 0; rank < moves.owners(); ++rank)
      for (const auto& transfer : moves.sends(rank)) {
        const Box from = moves.source().boxes(rank)[static_cast<std::size_t>(transfer.source_box)];
        const Box to =
            moves.target().boxes(transfer.peer)[static_cast<std::size_t>(transfer.target_box)];
        ASSERT_EQ(transfer.box, intersect(from, to)) << "seed " << seed;
      }
  }
}
