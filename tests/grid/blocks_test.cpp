// grid/blocks: blocks that tiles of several passes share.

#include "weft/grid/blocks.hpp"

#include <gtest/gtest.h>

using namespace weft;

namespace {

std::vector<Range> cut(std::initializer_list<std::int64_t> edges) {
  std::vector<Range> ranges;
  for (auto edge = edges.begin(); edge + 1 != edges.end(); ++edge)
    ranges.push_back({*edge, *(edge + 1)});
  return ranges;
}

}  // namespace

TEST(Blocks, are_cut_where_all_tilings_are) {
  const Box box{{0, 0, 4}, {10, 8, 24}};
  const TileRanges lines{cut({0, 2, 4, 6, 10}), cut({0, 4, 8}), cut({4, 24})};
  const TileRanges columns{cut({0, 3, 6, 10}), cut({0, 8}), cut({4, 14, 24})};
  const Blocks blocks = blocks_around(box, {2, 1}, {lines, columns});
  EXPECT_EQ(blocks.ranges, (TileRanges{cut({0, 6, 10}), cut({0, 8}), cut({4, 24})}));
  EXPECT_EQ(blocks.count(), 2U);
  EXPECT_EQ(blocks.points(), 6 * 8 * 20);
  EXPECT_EQ(blocks.number_of({5, 7, 23}), 0U);
  EXPECT_EQ(blocks.number_of({6, 0, 4}), 1U);
}

TEST(Blocks, are_numbered_row_major) {
  const TileRanges tiles{cut({0, 1, 2}), cut({0, 5}), cut({0, 3, 6, 7})};
  const Blocks blocks = blocks_around({{0, 0, 0}, {2, 5, 7}}, {1}, {tiles});
  EXPECT_EQ(blocks.count(), 6U);
  EXPECT_EQ(blocks.number_of({1, 4, 3}), 4U);
  EXPECT_EQ(blocks.number_of({0, 0, 6}), 2U);
}
