// fft/processor_family: which row of the table counts.

#include "weft/fft/processor_family.hpp"

#include <gtest/gtest.h>

#include "weft/fft/lanes/lanes.hpp"

using namespace weft;

TEST(ProcessorFamily, the_first_that_is_here_counts) {
  for (const VectorSet most : {VectorSet::baseline, VectorSet::avx2, VectorSet::avx512}) {
    pretend_at_most(most);
    const auto& all = processor_families();
    std::size_t first = 0;
    while (!all.at(first).is_here()) ++first;
    EXPECT_STREQ(processor_family().name, all[first].name);
    EXPECT_TRUE(all.back().is_here());
  }
  pretend_at_most(VectorSet::avx512);
}

// What the rules choose can run: the instructions are here, unless the build has no lanes.
TEST(ProcessorFamily, has_lanes_of_the_width_that_rules_take) {
  for (const VectorSet most : {VectorSet::baseline, VectorSet::avx2, VectorSet::avx512}) {
    pretend_at_most(most);
    const ProcessorFamily& family = processor_family();
    if (!no_lanes(128) && family.lane_bits > 0) {
      EXPECT_EQ(no_lanes(family.lane_bits), std::nullopt) << family.name;
    }
    if (most == VectorSet::baseline) {
      EXPECT_EQ(family.lane_bits, 0) << family.name;
    }
    EXPECT_LE(family.lane_bits, most == VectorSet::avx2 ? 256 : 512) << family.name;
  }
  pretend_at_most(VectorSet::avx512);
}
