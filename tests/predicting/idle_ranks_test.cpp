// predicting/idle_ranks: ranks with points.

#include "weft/predicting/idle_ranks.hpp"

#include <gtest/gtest.h>

using namespace weft;

namespace {

Problem of(Extents extents, Kind kind = Kind::c2c) {
  Problem problem;
  problem.extents = std::move(extents);
  problem.kind = kind;
  return validated(problem);
}

}  // namespace

TEST(WorkingRanks, are_those_of_the_pass_with_the_fewest) {
  const Strategy slabs = parse_strategy("fftw | from 7x1x1 | fft 2,1 | p2p to 1x7x1 | fft 0");
  const WorkingRanks few = working_ranks(slabs, of({8, 5, 4}), 7);
  EXPECT_EQ(few.pass, "fft 0");
  EXPECT_EQ(few.count, 5);
  EXPECT_EQ(working_ranks(slabs, of({8, 7, 4}), 7).count, 7);
}

TEST(UsableRanks, divide_the_two_shortest_axes) {
  EXPECT_EQ(usable_ranks(of({64, 64, 64}), 97), 96);  // 8x12
  EXPECT_EQ(usable_ranks(of({8, 8, 8}), 100000), 64);
  EXPECT_EQ(usable_ranks(of({100, 8, 8}), 67), 64);
  EXPECT_EQ(usable_ranks(of({30, 20}), 31), 20);
  EXPECT_EQ(usable_ranks(of({8, 8, 8}, Kind::r2c), 64), 40);  // 5 of the 8 are stored
  EXPECT_EQ(usable_ranks(of({3, 3, 3}), 9), 9);
  EXPECT_EQ(usable_ranks(of({3, 3, 3}), 1), 1);
}
