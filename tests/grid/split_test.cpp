// grid/split: parts of a range.

#include "weft/grid/split.hpp"

#include <gtest/gtest.h>

using namespace weft;

TEST(Split, gives_the_remainder_to_the_lowest_ranks) {
  EXPECT_EQ(split(10, 4, 0), (Range{0, 3}));
  EXPECT_EQ(split(10, 4, 1), (Range{3, 6}));
  EXPECT_EQ(split(10, 4, 2), (Range{6, 8}));
  EXPECT_EQ(split(10, 4, 3), (Range{8, 10}));
}

TEST(Split, leaves_the_highest_ranks_empty_when_there_are_too_few_points) {
  EXPECT_EQ(split(2, 4, 1), (Range{1, 2}));
  EXPECT_EQ(split(2, 4, 2), (Range{2, 2}));
  EXPECT_EQ(split(2, 4, 3), (Range{2, 2}));
}

TEST(Split, parts_follow_each_other_and_part_of_finds_them) {
  for (std::int64_t n = 0; n < 40; ++n)
    for (std::int64_t parts = 1; parts < 14; ++parts) {
      std::int64_t at = 0;
      for (std::int64_t i = 0; i < parts; ++i) {
        const Range part = split(n, parts, i);
        EXPECT_EQ(part.lo, at);
        EXPECT_LE(part.size(), (n + parts - 1) / parts);
        EXPECT_GE(part.size(), n / parts);
        for (; at < part.hi; ++at) EXPECT_EQ(part_of(n, parts, at), i);
      }
      EXPECT_EQ(at, n);
    }
}
