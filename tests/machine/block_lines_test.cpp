// machine/block_lines: the steps of lines, and which lines fit a block.

#include "weft/machine/block_lines.hpp"

#include <gtest/gtest.h>

using namespace weft;

TEST(BlockLines, have_radices_of_the_points) {
  for (std::int64_t n = 1; n <= 4096; ++n) {
    std::int64_t product = 1;
    const auto radices = device_radices(n);
    for (const int radix : radices) product *= radix;
    if (!radices.empty()) {
      EXPECT_EQ(product, n);
    }
  }
  EXPECT_EQ(device_radices(1024), (std::vector{16, 8, 8}));
  EXPECT_EQ(device_radices(17), std::vector<int>{});
}

// With 227 KiB and 512 threads of 16 points.
TEST(BlockLines, fit_where_threads_and_what_they_share_hold_all_points) {
  const BlockLimits limits{227 * 1024, 512, 32};
  const auto holds = [&](std::int64_t points) { return block_holds(points, 16, limits); };
  EXPECT_TRUE(holds(1));
  EXPECT_TRUE(holds(8192));
  EXPECT_FALSE(holds(8193));
  EXPECT_FALSE(holds(16384));
  EXPECT_TRUE(holds(4001));   // a prime, by Rader's convolution of 4000 points
  EXPECT_TRUE(holds(4093));   // a prime, by Bluestein's of 8192 points
  EXPECT_FALSE(holds(4099));  // a prime, of which that has more
  EXPECT_FALSE(holds(std::int64_t{1} << 40));
  EXPECT_TRUE(block_holds(2048, 16, {48 * 1024, 128, 32}));
  EXPECT_FALSE(block_holds(4096, 16, {48 * 1024, 512, 32}));  // 64 KiB
  EXPECT_TRUE(block_holds(4096, 8, {48 * 1024, 512, 32}));
}
