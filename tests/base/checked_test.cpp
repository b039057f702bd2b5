// base/checked: sums and products that do not fit are noticed.

#include "weft/base/checked.hpp"

#include <gtest/gtest.h>

using namespace weft;

namespace {
constexpr std::int64_t largest = INT64_MAX;
}  // namespace

TEST(CheckedNumbers, are_told_if_64_bits_hold_them) {
  EXPECT_EQ(checked_sum(largest - 1, 1), largest);
  EXPECT_EQ(checked_sum(largest, 1), std::nullopt);
  EXPECT_EQ(checked_product(std::int64_t{1} << 31, std::int64_t{1} << 31), std::int64_t{1} << 62);
  EXPECT_EQ(checked_product(std::int64_t{1} << 32, std::int64_t{1} << 32), std::nullopt);
  EXPECT_EQ(checked_product(largest, -2), std::nullopt);
  EXPECT_EQ(checked_volume({3, 5, 7}), 105);
  EXPECT_EQ(checked_volume({}), 1);
  EXPECT_EQ(checked_volume({largest, largest}), std::nullopt);
  EXPECT_EQ(bounded_product(3, 5), 15);
  EXPECT_EQ(bounded_product(largest, largest), largest);
  EXPECT_EQ(bounded_sum(largest, 5), largest);
}

TEST(Volumes, of_errors_are_true_or_said_to_be_larger) {
  EXPECT_EQ(volume_text({5, 7}), "35");
  // The product of both is 1 modulo 2^64.
  EXPECT_EQ(volume_text({largest, largest}), "more than 9223372036854775807");
}
