// grid/overlap_points: the same owners and points as the boxes of for_each_overlap have.

#include "weft/grid/overlap_points.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/dice.hpp"

using namespace weft;
using namespace weft::test;

namespace {

using Found = std::vector<std::pair<int, std::int64_t>>;

Found by_boxes(const Decomposition& at, const Box& box) {
  Found found;
  at.for_each_overlap(
      box, [&](int owner, int, const Box& both) { found.emplace_back(owner, both.volume()); });
  return found;
}

Found by_points(const Decomposition& at, const Box& box) {
  Found found;
  for_each_overlap_points(
      at, box, [&](int owner, std::int64_t points) { found.emplace_back(owner, points); });
  return found;
}

}  // namespace

TEST(OverlapPoints, are_those_of_the_boxes) {
  Dice dice(5);
  for (int trial = 0; trial < 3000; ++trial) {
    const int axes = static_cast<int>(dice.between(1, 5));
    Extents extents;
    Dims parts;
    Box box;
    for (int a = 0; a < axes; ++a) {
      extents.push_back(dice.between(1, 9));
      parts.push_back(dice.between(1, 5));  // also more than there are points
      const std::int64_t lo = dice.between(0, extents[a] - 1);
      box.lo.push_back(lo);
      box.hi.push_back(dice.between(lo, extents[a]));  // also empty
    }
    const auto pieces = volume(parts);
    const auto owners = static_cast<int>(pieces + dice.between(0, 3));
    const auto natural = Decomposition::on_grid(extents, ProcessGrid{parts}, owners);
    ASSERT_EQ(by_points(natural, box), by_boxes(natural, box)) << trial;
    std::vector<int> table;
    for (std::int64_t i = 0; i < pieces; ++i)
      table.push_back(static_cast<int>(dice.between(0, owners - 1)));
    const auto placed = Decomposition::on_grid(extents, ProcessGrid::placed(parts, table), owners);
    ASSERT_EQ(by_points(placed, box), by_boxes(placed, box)) << trial;
    std::vector<std::vector<Box>> boxes;
    for (int owner = 0; owner < owners; ++owner) boxes.push_back(placed.boxes(owner));
    const auto of_boxes = Decomposition::of_boxes(extents, boxes, "input");
    ASSERT_EQ(by_points(of_boxes, box), by_boxes(of_boxes, box)) << trial;
  }
}

TEST(OverlapPoints, add_up_to_the_box) {
  const auto at = Decomposition::on_grid({7, 5, 11}, ProcessGrid{{3, 2, 4}}, 24);
  const Box box{{1, 0, 2}, {7, 4, 11}};
  std::int64_t sum = 0;
  for_each_overlap_points(at, box, [&](int, std::int64_t points) { sum += points; });
  EXPECT_EQ(sum, box.volume());
}
