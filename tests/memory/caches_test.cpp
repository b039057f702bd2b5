// memory/caches: the sizes that Linux reports.
#include "weft/memory/caches.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace {

TEST(Caches, level_2_of_one_core_is_smaller_than_all_of_level_3) {
  EXPECT_GE(weft::caches().level_2, 1 << 16);
  EXPECT_LE(weft::caches().level_2, 1 << 26);
  if (weft::caches().level_3 > 0) {
    EXPECT_GT(weft::caches().level_3, weft::caches().level_2);
  }
}

TEST(Caches, level_3_is_a_multiple_of_the_first_cores_cache) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  long kilobytes = 0;
  char unit = 0;
  if (!(file >> kilobytes >> unit) || unit != 'K') {
    GTEST_SKIP() << "not checked: this system does not tell";
  }
  EXPECT_EQ(weft::caches().level_3 % (kilobytes << 10), 0);
  EXPECT_GT(weft::caches().level_3, 0);
}

}  // namespace
