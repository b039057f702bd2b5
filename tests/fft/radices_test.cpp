// fft/lanes/radices: the product and the order of radices, and lengths without radices.

#include "weft/fft/lanes/radices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace weft;

namespace {

std::int64_t without(std::int64_t n, std::int64_t factor) {
  while (n % factor == 0) n /= factor;
  return n;
}

}  // namespace

TEST(Radices, make_up_every_length_of_small_primes_but_twice_a_power_of_7) {
  std::set<int> used;
  for (std::int64_t n = 3; n <= 1024; ++n) {
    const auto found = radices_of(n);
    const bool is_twice_sevens = n % 4 == 2 && without(n / 2, 7) == 1;
    if (without(without(without(without(n, 2), 3), 5), 7) != 1 || is_twice_sevens) {
      EXPECT_TRUE(found.empty()) << n;
      continue;
    }
    std::int64_t product = 1;
    for (const int radix : found) product *= radix;
    EXPECT_EQ(product, n);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end())) << n;
    used.insert(found.begin(), found.end());
  }
  EXPECT_EQ(used.size(), radices.size());
  EXPECT_TRUE(radices_of(1).empty());
  EXPECT_TRUE(radices_of(2).empty());
}

TEST(Radices, are_the_cheapest) {
  EXPECT_EQ(radices_of(96), (std::vector{8, 12}));
  EXPECT_EQ(radices_of(100), (std::vector{10, 10}));
  EXPECT_EQ(radices_of(256), (std::vector{4, 8, 8}));
  EXPECT_EQ(radices_of(384), (std::vector{4, 8, 12}));
}

TEST(Radices, of_lanes_are_two_at_least) {
  for (const std::int64_t n : {1, 2, 3, 4, 6, 8, 10, 14, 22})
    EXPECT_TRUE(radices_of_steps(n).empty()) << n;
  EXPECT_EQ(radices_of_steps(9), (std::vector{3, 3}));
  EXPECT_EQ(radices_of_steps(12), (std::vector{3, 4}));
  EXPECT_EQ(radices_of_steps(16), (std::vector{4, 4}));
  for (std::int64_t n = 17; n <= 1024; ++n) EXPECT_EQ(radices_of_steps(n), radices_of(n)) << n;
}

TEST(Radices, begin_with_a_multiple_of_the_lanes_for_adjacent_points) {
  EXPECT_EQ(point_radices(64, 8), (std::vector{8, 8}));
  EXPECT_EQ(point_radices(96, 8), (std::vector{8, 12}));
  EXPECT_EQ(point_radices(256, 16), (std::vector{16, 16}));
  for (std::int64_t n = 1; n <= 8192; ++n)
    for (const std::int64_t lanes : {8, 16}) {
      const auto found = point_radices(n, lanes);
      bool is_possible = false;
      for (const int first : {8, 16})
        if (first % lanes == 0 && n % first == 0)
          is_possible = is_possible || !radices_of(n / first).empty();
      EXPECT_EQ(!found.empty(), is_possible) << n << " points, " << lanes << " lanes";
      if (found.empty()) continue;
      std::int64_t product = 1;
      for (const int radix : found) product *= radix;
      EXPECT_EQ(product, n);
      EXPECT_EQ(found.front() % lanes, 0);
    }
}

// What lanes are compiled for, of all lengths whose data between the steps fit their buffers.
TEST(Radices, of_3_points_never_come_last_and_those_of_16_only_last) {
  for (std::int64_t n = 10; n <= 16384; ++n) {
    if (without(without(without(without(n, 2), 3), 5), 7) != 1) continue;
    std::vector<std::vector<int>> chains = {radices_of_steps(n)};
    for (const int lanes : {4, 8, 16}) {
      const std::vector<int> all = point_radices(n, lanes);
      // Lines are left to FFTW that are short, or fill less than 7 of 8 lanes.
      if (n <= 20 || all.empty() || n / all.front() * 8 < 7 * lanes) continue;
      chains.push_back({all.begin() + 1, all.end()});
    }
    for (const std::vector<int>& chain : chains) {
      if (chain.empty()) continue;
      EXPECT_GE(chain.back(), shortest_last_radix) << n;
      for (std::size_t i = 0; i + 1 < chain.size(); ++i)
        EXPECT_LE(chain[i], longest_early_radix) << n;
    }
  }
}
