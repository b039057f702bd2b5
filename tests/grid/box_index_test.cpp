// grid/box_index: finds the same boxes as looking through all of them.

#include "weft/grid/box_index.hpp"

#include <gtest/gtest.h>

#include "support/dice.hpp"

using namespace weft;
using namespace weft::test;

namespace {

Box random_box(Dice& dice, int axes, std::int64_t longest) {
  Box box;
  for (int a = 0; a < axes; ++a) {
    const std::int64_t lo = dice.between(-20, 20);
    box.lo.push_back(lo);
    box.hi.push_back(lo + dice.between(0, a == 0 ? 40 : longest));  // empty ones, too
  }
  return box;
}

}  // namespace

TEST(BoxIndex, finds_all_that_overlap_in_ascending_order) {
  Dice dice(11);
  for (int round = 0; round < 300; ++round) {
    const int axes = static_cast<int>(dice.between(1, 4));
    std::vector<Box> boxes;
    for (auto left = dice.between(0, 120); left > 0; --left)
      boxes.push_back(random_box(dice, axes, dice.pick<std::int64_t>({1, 3, 30})));
    const BoxIndex index(boxes);
    for (int question = 0; question < 20; ++question) {
      const Box box = random_box(dice, axes, 10);
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (!intersect(boxes[i], box).empty()) expected.push_back(i);
      EXPECT_EQ(index.overlapping(box), expected);
    }
  }
}

TEST(BoxIndex, of_equal_boxes_and_of_none) {
  EXPECT_TRUE(BoxIndex().overlapping({{0}, {1}}).empty());
  const BoxIndex index(std::vector<Box>(100, Box{{2, 2}, {3, 3}}));
  EXPECT_EQ(index.overlapping({{0, 0}, {9, 9}}).size(), 100U);
  EXPECT_TRUE(index.overlapping({{3, 0}, {9, 9}}).empty());
  const BoxIndex empty(std::vector<Box>(100, Box{{2, 2}, {2, 2}}));
  EXPECT_TRUE(empty.overlapping({{0, 0}, {9, 9}}).empty());
}
