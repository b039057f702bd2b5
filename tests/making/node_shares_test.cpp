// making/node_shares: even shares, cut where messages end.

#include "weft/making/node_shares.hpp"

#include <gtest/gtest.h>

using namespace weft;

namespace {

using Cuts = std::vector<std::int64_t>;

}  // namespace

TEST(EvenCuts, end_shares_where_messages_end) {
  EXPECT_EQ(even_cuts({10, 20}, 2), (Cuts{10}));
  EXPECT_EQ(even_cuts({10, 20, 30, 40}, 2), (Cuts{20}));
  EXPECT_EQ(even_cuts({10, 20, 30, 40, 50}, 1), Cuts{});
}

TEST(EvenCuts, cut_messages_where_ranks_and_messages_do_not_divide) {
  EXPECT_EQ(even_cuts({12, 24}, 3), (Cuts{8, 16}));
  EXPECT_EQ(even_cuts({10, 20, 30}, 2), (Cuts{15}));
  EXPECT_EQ(even_cuts({40}, 4), (Cuts{10, 20, 30}));
}

// 44 of 92 are 1.087 of an even share of two ranks.
TEST(EvenCuts, accept_a_share_that_is_less_than_a_tenth_too_large) {
  EXPECT_EQ(even_cuts({42, 92}, 2), (Cuts{42}));
  EXPECT_EQ(even_cuts({40, 92}, 2), (Cuts{46}));
  EXPECT_EQ(even_cuts({22, 42, 92}, 4), (Cuts{22, 42, 67}));
}

// All but one of 64 ranks have a whole message, and two have half of one.
TEST(EvenCuts, cut_one_message_where_there_is_one_rank_more) {
  Cuts ends, cuts;
  for (std::int64_t message = 1; message <= 63; ++message) ends.push_back(100 * message);
  cuts = even_cuts(ends, 64);
  ASSERT_EQ(cuts.size(), 63U);
  int within = 0;
  for (const std::int64_t cut : cuts) within += cut % 100 != 0 ? 1 : 0;
  EXPECT_EQ(within, 1);
}

TEST(EvenCuts, leave_ranks_without_a_share_where_there_are_fewer_elements) {
  EXPECT_EQ(even_cuts({1}, 3), (Cuts{0, 0}));
  EXPECT_EQ(even_cuts({1, 2}, 3), (Cuts{0, 1}));
}

TEST(NodeShares, of_three_nodes_of_two_ranks_each_rank_sends_one_message) {
  Machine machine{6, {0, 0, 1, 1, 2, 2}};
  const Extents extents{6, 6};
  NodeShares shares(
      {Decomposition::on_grid(extents, {{6, 1}}, 6), Decomposition::on_grid(extents, {{1, 6}}, 6)},
      machine);
  EXPECT_EQ(shares.of_message(0, 1, 4), (std::vector<Stretch>{{4, 0, 1}}));
  EXPECT_EQ(shares.of_message(0, 2, 4), (std::vector<Stretch>{{4, 1, 0}}));
  EXPECT_EQ(shares.of_message(1, 2, 4), (std::vector<Stretch>{{4, 0, 1}}));
  EXPECT_EQ(shares.of_message(1, 0, 4), (std::vector<Stretch>{{4, 1, 0}}));
}

// 8 points for each of the three senders, and 12 for each of the two receivers.
TEST(NodeShares, of_nodes_of_three_and_two_ranks_are_cut_where_either_needs_it) {
  Machine machine{5, {0, 0, 0, 1, 1}};
  const Extents extents{24, 2};
  std::vector<std::vector<Box>> before(5), after(5);
  for (std::int64_t rank = 0; rank < 3; ++rank)
    before[static_cast<std::size_t>(rank)] = {{{8 * rank, 0}, {8 * rank + 8, 1}}};
  before[3] = {{{0, 1}, {12, 2}}};
  before[4] = {{{12, 1}, {24, 2}}};
  after[0] = {{{0, 1}, {24, 2}}};
  after[3] = {{{0, 0}, {12, 1}}};
  after[4] = {{{12, 0}, {24, 1}}};
  NodeShares shares({Decomposition::of_boxes(extents, before, "first"),
                     Decomposition::of_boxes(extents, after, "second")},
                    machine);
  EXPECT_EQ(shares.of_message(0, 1, 24),
            (std::vector<Stretch>{{8, 0, 1}, {12, 1, 1}, {16, 1, 0}, {24, 2, 0}}));
}

TEST(NodeShares, of_nodes_of_one_rank_are_whole_messages) {
  NodeShares shares(
      {Decomposition::on_grid({4, 4}, {{4, 1}}, 4), Decomposition::on_grid({4, 4}, {{1, 4}}, 4)},
      Machine{4, {}});
  EXPECT_EQ(shares.of_message(2, 1, 1), (std::vector<Stretch>{{1, 0, 0}}));
}
