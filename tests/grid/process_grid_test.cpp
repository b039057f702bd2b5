// grid/factorizations: rank order and factorizations.

#include "weft/grid/factorizations.hpp"

#include <gtest/gtest.h>

using namespace weft;

TEST(ProcessGrid, pieces_are_row_major) {
  const ProcessGrid grid{{2, 3, 2}};
  EXPECT_EQ(grid.coordinates(0), (Dims{0, 0, 0}));
  EXPECT_EQ(grid.coordinates(1), (Dims{0, 0, 1}));
  EXPECT_EQ(grid.coordinates(2), (Dims{0, 1, 0}));
  EXPECT_EQ(grid.coordinates(11), (Dims{1, 2, 1}));
  for (int i = 0; i < 12; ++i) EXPECT_EQ(grid.piece(grid.coordinates(i)), i);
}

TEST(ProcessGrid, boxes_of_a_small_grid) {
  const ProcessGrid grid{{2, 1, 2}};
  EXPECT_EQ(to_string(grid.box({3, 4, 5}, 0)), "[0,2)x[0,4)x[0,3)");
  EXPECT_EQ(to_string(grid.box({3, 4, 5}, 3)), "[2,3)x[0,4)x[3,5)");
  EXPECT_TRUE(grid.box({3, 4, 5}, 4).empty());
}

TEST(ProcessGrid, a_table_gives_the_owner_of_a_piece) {
  const ProcessGrid grid = ProcessGrid::placed({2, 2}, {3, 0, 3, 1});
  EXPECT_EQ(grid.owner(0), 3);
  EXPECT_EQ(grid.owner(3), 1);
  EXPECT_EQ(to_string(grid), "2x2 on 3,0,3,1");
  EXPECT_EQ(to_string(grid.box({4, 4}, 1)), "[0,2)x[2,4)");
}

TEST(ProcessGrid, a_table_that_is_the_identity_is_omitted) {
  EXPECT_EQ(ProcessGrid::placed({2, 2}, {0, 1, 2, 3}), (ProcessGrid{{2, 2}}));
  EXPECT_EQ(to_string(ProcessGrid::placed({2, 2}, {0, 1, 2, 3})), "2x2");
  // A table of the wrong length and invalid parts are kept for a later check.
  EXPECT_EQ(to_string(ProcessGrid::placed({2, 2}, {0, 1, 2})), "2x2 on 0-2");
  EXPECT_EQ(to_string(ProcessGrid::placed({0, 2}, {0, 1})), "0x2 on 0,1");
}

TEST(Factorizations, lists_every_product_once) {
  EXPECT_EQ(factorizations(1, 3), (std::vector<Dims>{{1, 1, 1}}));
  EXPECT_EQ(factorizations(6, 2), (std::vector<Dims>{{6, 1}, {3, 2}, {2, 3}, {1, 6}}));
  EXPECT_EQ(factorizations(12, 3).size(), 18U);
}

TEST(BalancedFactorization, makes_pieces_as_cubic_as_possible) {
  EXPECT_EQ(balanced_factorization(8, {64, 64, 64}, {0, 1, 2}), (Dims{2, 2, 2}));
  EXPECT_EQ(balanced_factorization(12, {64, 64, 64}, {0, 1}), (Dims{4, 3, 1}));
  EXPECT_EQ(balanced_factorization(8, {1024, 8, 8}, {0, 1, 2}), (Dims{8, 1, 1}));
  // Two ranks an axis is all that 2 points can feed.
  EXPECT_EQ(balanced_factorization(4, {2, 100}, {0, 1}), (Dims{1, 4}));
}
