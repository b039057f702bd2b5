// grid/tiling: tiles cover a box once, whole along the axes to transform, and fit the limits.

#include "weft/grid/tiling.hpp"

#include <gtest/gtest.h>

#include "support/decompositions.hpp"

using namespace weft;
using namespace weft::test;

TEST(Tiling, columns_of_the_width_that_fits) {
  const auto tiles = tiles_of(Box::whole({256, 2, 100}), {0}, {256 * 64, 8}, {});
  ASSERT_EQ(tiles.size(), 4U);
  EXPECT_EQ(to_string(tiles[0]), "[0,256)x[0,1)x[0,52)");
  EXPECT_EQ(to_string(tiles[1]), "[0,256)x[0,1)x[52,100)");
}

TEST(Tiling, whole_planes_when_two_axes_are_whole) {
  const auto tiles = tiles_of(Box::whole({3, 8, 8}), {1, 2}, {64, 8}, {});
  ASSERT_EQ(tiles.size(), 3U);
  EXPECT_EQ(to_string(tiles[2]), "[2,3)x[0,8)x[0,8)");
}

TEST(Tiling, grows_along_the_run_axis_first) {
  const auto tiles = tiles_of(Box::whole({40, 3, 4096}), {2}, {1000, 8, 0}, {});
  ASSERT_EQ(tiles.size(), 15U);
  EXPECT_EQ(tiles[0], (Box{{0, 0, 0}, {8, 1, 4096}}));
}

TEST(Tiling, long_lines_keep_a_least_run) {
  const auto tiles = tiles_of(Box::whole({100000, 32}), {0}, {1000, 8}, {});
  EXPECT_EQ(tiles.size(), 4U);
}

TEST(Tiling, short_rows_grow_over_the_next_axis) {
  const auto tiles = tiles_of(Box::whole({16, 10, 2}), {0}, {16 * 2 * 4, 8}, {});
  EXPECT_EQ(to_string(tiles[0]), "[0,16)x[0,4)x[0,2)");
}

TEST(Tiling, covers_every_box_once_within_the_cuts) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    const Extents extents = random_extents(dice, 600);
    const auto owned = random_tiling(dice, extents, 1);
    const Box box = owned[0][0];
    std::vector<int> whole;
    std::vector<std::vector<std::int64_t>> cuts(static_cast<std::size_t>(extents.size()));
    for (int a = 0; a < extents.size(); ++a) {
      if (dice.chance(30)) whole.push_back(a);
      if (extents[a] > 2 && dice.chance(30))
        cuts[static_cast<std::size_t>(a)].push_back(dice.between(1, extents[a] - 1));
    }
    std::vector<int> seen(static_cast<std::size_t>(volume(extents)), 0);
    const TileLimits limits{dice.between(1, 300), dice.between(1, 9),
                            static_cast<int>(dice.between(-1, extents.size() - 1))};
    for (const Box& tile : tiles_of(box, whole, limits, cuts)) {
      for (int a : whole) ASSERT_EQ(tile.range(a), box.range(a)) << "seed " << seed;
      for (int a = 0; a < extents.size(); ++a)
        for (auto cut : cuts[static_cast<std::size_t>(a)])
          ASSERT_TRUE(cut <= tile.lo[a] || cut >= tile.hi[a] ||
                      std::find(whole.begin(), whole.end(), a) != whole.end())
              << "seed " << seed;
      for_each_index(tile, [&](const Dims& at) { ++seen[flat(extents, at)]; });
    }
    std::int64_t covered = 0;
    for (int count : seen) {
      ASSERT_LE(count, 1) << "seed " << seed;
      covered += count;
    }
    ASSERT_EQ(covered, box.volume()) << "seed " << seed;
  }
}
