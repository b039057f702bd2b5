// base/dims_text: printing, parsing, and volumes that do not overflow.

#include "weft/base/dims_text.hpp"

#include <gtest/gtest.h>

using namespace weft;

TEST(Dims, print_and_parse) {
  EXPECT_EQ(to_string(Dims{512, 7, 1}), "512x7x1");
  EXPECT_EQ(parse_dims("512x7x1", "it"), (Dims{512, 7, 1}));
  EXPECT_EQ(parse_dims("-3", "it"), (Dims{-3}));
  for (const char* bad : {"", "x", "3x", "x3", "3 x 4", "3xx4", "a", "1.5",
                          "1x1x1x1x1x1x1x1x1x1x1x1x1", "99999999999999999999"})
    EXPECT_THROW(parse_dims(bad, "it"), Error) << bad;
}

TEST(Dims, insert_and_erase_keep_the_order) {
  Dims dims{1, 2, 3};
  dims.insert(1, 9);
  EXPECT_EQ(dims, (Dims{1, 9, 2, 3}));
  dims.erase(0);
  EXPECT_EQ(dims, (Dims{9, 2, 3}));
}

TEST(Dims, volumes_beyond_int64_are_seen) {
  const std::int64_t most = INT64_MAX;
  EXPECT_FALSE(volume_exceeds({most}, most));
  EXPECT_FALSE(volume_exceeds({std::int64_t{1} << 31, std::int64_t{1} << 31}, most));
  EXPECT_TRUE(volume_exceeds({std::int64_t{1} << 32, std::int64_t{1} << 31}, most));
  EXPECT_TRUE(volume_exceeds({3, most / 2}, most));
}
