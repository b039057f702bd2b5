// grid/decomposition: tiling, and the errors of boxes that do not tile.

#include "weft/grid/decomposition.hpp"

#include <gtest/gtest.h>

#include "support/decompositions.hpp"

using namespace weft;
using namespace weft::test;

namespace {

std::string error_in_boxes(const Extents& extents, std::vector<std::vector<Box>> boxes) {
  try {
    Decomposition::of_boxes(extents, std::move(boxes), "input");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Decomposition, boxes_that_overlap_are_reported_with_their_ranks) {
  EXPECT_EQ(error_in_boxes({512, 512}, {{{{0, 0}, {256, 512}}}, {}, {{{250, 40}, {512, 512}}}}),
            "weft: the input boxes overlap: ranks 0 and 2 both own [250,256)x[40,512)\n"
            "  while: checking the input decomposition of 512x512 over 3 ranks\n"
            "  try:   boxes are half-open, so one rank's hi is the next one's lo");
}

TEST(Decomposition, boxes_of_one_rank_must_not_overlap_either) {
  EXPECT_NE(error_in_boxes({4}, {{{{0}, {3}}, {{2}, {4}}}}).find("ranks 0 and 0 both own [2,3)"),
            std::string::npos);
}

TEST(Decomposition, a_hole_is_reported_with_its_box) {
  EXPECT_EQ(error_in_boxes({4, 4}, {{{{0, 0}, {2, 4}}}, {{{2, 0}, {4, 3}}}}),
            "weft: the input boxes do not cover the grid: none of the 2 ranks owns [2,4)x[3,4)\n"
            "  while: checking the input decomposition of 4x4 over 2 ranks\n"
            "  try:   the boxes of all ranks must cover every point of the grid exactly once");
}

TEST(Decomposition, bounds_that_would_tile_the_grid_as_last_points_are_recognised) {
  const std::string hint =
      "  try:   add 1 to every hi: hi is one past the last point, and not the last point";
  const auto says_so = [&](const Extents& extents, std::vector<std::vector<Box>> boxes) {
    return error_in_boxes(extents, std::move(boxes)).ends_with(hint);
  };
  EXPECT_TRUE(says_so({4, 4}, {{{{0, 0}, {1, 3}}}, {{{2, 0}, {3, 3}}}}));
  EXPECT_TRUE(says_so({2, 3}, {{{{0, 0}, {0, 2}}}, {}, {{{1, 0}, {1, 0}}, {{1, 1}, {1, 2}}}}));
  EXPECT_FALSE(says_so({4, 4}, {{{{0, 0}, {1, 3}}}, {{{2, 0}, {3, 2}}}}));
  EXPECT_FALSE(says_so({4, 4}, {{{{0, 0}, {1, 3}}}, {{{2, 0}, {4, 3}}}}));
  EXPECT_FALSE(says_so({4}, {{{{0}, {2}}}, {{{2}, {3}}}}));
  EXPECT_FALSE(says_so({4}, {{{{0}, {3}}}, {{{9}, {INT64_MAX}}, {{4}, {3}}}}));
}

TEST(Decomposition, a_box_that_extends_beyond_the_grid_is_reported) {
  EXPECT_NE(error_in_boxes({4, 4}, {{{{0, 0}, {4, 5}}}})
                .find("the input box [0,4)x[0,5) of rank 0 extends beyond the grid 4x4"),
            std::string::npos);
  EXPECT_NE(error_in_boxes({4, 4}, {{{{0}, {4}}}}).find("rank 0 has an input box with 1 axes"),
            std::string::npos);
}

TEST(Decomposition, pieces_belong_to_the_ranks_of_the_table) {
  const auto at =
      Decomposition::on_grid({4, 4}, ProcessGrid::placed({4, 2}, {5, 1, 1, 5, 0, 5, 5, 5}), 7);
  EXPECT_EQ(at.boxes(1), (std::vector<Box>{{{0, 2}, {1, 4}}, {{1, 0}, {2, 2}}}));
  EXPECT_EQ(at.boxes(0), (std::vector<Box>{{{2, 0}, {3, 2}}}));
  EXPECT_TRUE(at.boxes(2).empty());
  EXPECT_EQ(at.volume(5), 10);
  EXPECT_EQ(at.largest_volume(), 10);
  EXPECT_EQ(at.holders(), 3);
  EXPECT_EQ(at.holder(2), 5);
  EXPECT_EQ(to_string(at), "4x2 on 5,1,1,5,0,5,5,5");
}

TEST(Decomposition, pieces_without_points_are_omitted) {
  const auto at = Decomposition::on_grid({2}, ProcessGrid::placed({4}, {3, 2, 1, 2}), 4);
  EXPECT_EQ(at.boxes(2), (std::vector<Box>{{{1}, {2}}}));
  EXPECT_TRUE(at.boxes(1).empty());
  EXPECT_EQ(at.holders(), 2);
}

TEST(Decomposition, tiles_the_grid_whatever_it_was_made_of) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    const int ranks = static_cast<int>(dice.between(1, 12));
    const Extents extents = random_extents(dice, 400);
    const Decomposition decomposition = random_decomposition(dice, extents, ranks);
    std::vector<int> owners(static_cast<std::size_t>(volume(extents)), 0);
    for (int rank = 0; rank < ranks; ++rank)
      for (const Box& box : decomposition.boxes(rank))
        for_each_index(box, [&](const Dims& at) { ++owners[flat(extents, at)]; });
    for (int count : owners) ASSERT_EQ(count, 1) << "seed " << seed;
  }
}

TEST(Decomposition, finds_the_same_overlaps_on_grids_and_among_boxes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    const int ranks = static_cast<int>(dice.between(1, 12));
    const Extents extents = random_extents(dice, 400);
    const Decomposition on_grid = random_grid(dice, extents, ranks);
    std::vector<std::vector<Box>> boxes;
    for (int rank = 0; rank < ranks; ++rank) boxes.push_back(on_grid.boxes(rank));
    const Decomposition same = Decomposition::of_boxes(extents, boxes, "same");
    Box region = Box::whole(extents);
    for (int a = 0; a < extents.size(); ++a) {
      region.lo[a] = dice.between(0, extents[a] - 1);
      region.hi[a] = dice.between(region.lo[a] + 1, extents[a]);
    }
    std::vector<std::pair<int, Box>> found, expected;
    on_grid.for_each_overlap(region, [&](int r, int, const Box& b) { found.emplace_back(r, b); });
    same.for_each_overlap(region, [&](int r, int, const Box& b) { expected.emplace_back(r, b); });
    ASSERT_EQ(found, expected) << "seed " << seed;
  }
}
