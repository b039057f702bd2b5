// swfft/layout: the process grids and the places of ranks are those of SWFFT, as its manual shows
// them.
#include "layout.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <weft/error.hpp>

using weft::swfft::choose_layout;
using weft::swfft::Layout;
using weft::swfft::Triple;

namespace {

TEST(SwfftLayout, is_that_of_the_manual_on_8_ranks) {
  const Layout layout = choose_layout(8, {128, 128, 128});
  EXPECT_EQ(layout.slabs.ranks, (Triple{8, 1, 1}));
  EXPECT_EQ(layout.cubes.ranks, (Triple{2, 2, 2}));
  EXPECT_EQ(layout.pencils[2].ranks, (Triple{4, 2, 1}));
  EXPECT_EQ(layout.pencils[0].ranks, (Triple{1, 4, 2}));
  EXPECT_EQ(layout.pencils[1].ranks, (Triple{4, 1, 2}));
  EXPECT_EQ(layout.pencils[1].points, (Triple{32, 128, 64}));
}

TEST(SwfftLayout, is_that_of_the_manual_on_32768_ranks) {
  const Layout layout = choose_layout(32768, {10240, 10240, 10240});
  EXPECT_EQ(layout.cubes.ranks, (Triple{32, 32, 32}));
  EXPECT_EQ(layout.pencils[2].ranks, (Triple{256, 128, 1}));
  EXPECT_EQ(layout.pencils[0].ranks, (Triple{1, 256, 128}));
  EXPECT_EQ(layout.pencils[1].ranks, (Triple{256, 1, 128}));
}

// Of 2x2x2 cubes, the ranks of a column share the z pencils through it; along x, each cube of a
// face has a rank in turn.
TEST(SwfftLayout, puts_ranks_where_SWFFT_does) {
  const Layout layout = choose_layout(8, {16, 16, 16});
  EXPECT_EQ(place_in_pencils(layout, 2, 1), (Triple{1, 0, 0}));
  EXPECT_EQ(place_in_pencils(layout, 2, 2), (Triple{0, 1, 0}));
  EXPECT_EQ(place_in_pencils(layout, 2, 4), (Triple{2, 0, 0}));
  EXPECT_EQ(place_in_pencils(layout, 0, 1), (Triple{0, 0, 1}));
  EXPECT_EQ(place_in_pencils(layout, 0, 2), (Triple{0, 2, 0}));
  EXPECT_EQ(place_in_pencils(layout, 0, 4), (Triple{0, 1, 0}));
  EXPECT_EQ(place_in_pencils(layout, 1, 3), (Triple{1, 0, 1}));
}

// A pencil crosses the cubes of a row, and its ranks are among those of these cubes.
TEST(SwfftLayout, gives_each_place_to_one_rank) {
  for (const int ranks : {1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 27, 32, 36, 64}) {
    const Layout layout = choose_layout(ranks, {144, 144, 144});
    for (int axis = 0; axis < 3; ++axis)
      for (int rank = 0; rank < ranks; ++rank) {
        const Triple place = place_in_pencils(layout, axis, rank);
        EXPECT_EQ(rank_in_pencils(layout, axis, place), rank);
        for (std::size_t a = 0; a < 3; ++a)
          EXPECT_LT(place[a], layout.pencils[static_cast<std::size_t>(axis)].ranks[a]);
      }
  }
}

TEST(SwfftLayout, refuses_what_does_not_divide) {
  EXPECT_THROW(choose_layout(4, {9, 9, 9}), weft::Error);
  EXPECT_THROW(choose_layout(5, {12, 12, 12}), weft::Error);
  EXPECT_THROW(weft::swfft::explicit_layout({8, 8, 8}, {4, 1, 1}, {2, 2, 1},
                                            {Triple{1, 3, 1}, Triple{4, 1, 1}, Triple{2, 2, 1}}),
               weft::Error);
}

}  // namespace

// MPI divides the ranks.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;
}
