// compute/direct_rule: depends on what the caches hold, and on the processor.

#include "weft/compute/direct_rule.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "weft/fft/processor_family.hpp"

using namespace weft;

namespace {

using Pair = std::pair<bool, bool>;  // of loads and stores

PassSpec pass_along(std::vector<int> axes, bool fits_caches, bool streaming = false) {
  PassSpec spec;
  spec.axes = std::move(axes);
  spec.real_boxes = spec.spectral_boxes = {Box::whole({8, 8, 8})};
  spec.fits_caches = fits_caches;
  spec.streaming = streaming;
  return spec;
}

Pair rule(const PassSpec& spec) {
  const DirectRule rule = direct_rule(spec);
  return {rule.loads, rule.stores};
}

class DirectRules : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_avx2()) GTEST_SKIP() << "the rule is to use copies here";
    pretend_at_most(VectorSet::avx2);
  }
  void TearDown() override { pretend_at_most(VectorSet::avx512); }
};

}  // namespace

TEST_F(DirectRules, no_copies_of_what_the_caches_hold) {
  for (const std::vector<int>& axes : std::vector<std::vector<int>>{{2, 1}, {0}, {2}, {1, 0}})
    EXPECT_EQ(rule(pass_along(axes, true)), Pair(true, true));
}

TEST_F(DirectRules, beyond_the_caches_groups_are_written_unless_stores_bypass_the_caches) {
  EXPECT_EQ(rule(pass_along({2, 1}, false, true)), Pair(false, false));
  EXPECT_EQ(rule(pass_along({2, 1}, false)), Pair(false, true));
  EXPECT_EQ(rule(pass_along({0}, false)), Pair(false, false));
  EXPECT_EQ(rule(pass_along({1, 0}, false, true)), Pair(false, false));
}

// Backward, r2c begins with the axis that it ends with forward.
TEST_F(DirectRules, rows_are_those_of_the_axis_that_comes_first) {
  PassSpec spec = pass_along({2, 1}, false, true);
  spec.half_axis = 2;
  EXPECT_TRUE(spec.loads_rows());
  spec.forward = false;
  EXPECT_FALSE(spec.loads_rows());
  spec.half_axis = -1;
  EXPECT_TRUE(spec.loads_rows());
  spec.limits.run_axis = 1;
  EXPECT_FALSE(spec.loads_rows());
}

TEST(DirectRule, other_processors_take_copies) {
  pretend_at_most(VectorSet::baseline);
  EXPECT_EQ(rule(pass_along({2, 1}, true)), Pair(false, false));
  pretend_at_most(VectorSet::avx512);
}
