// fft/radices: the product and the order of radices, and lengths without radices.

#include "weft/fft/radices.hpp"

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
