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

class DirectRules : public testing::TestWithParam<VectorSet> {
 protected:
  void SetUp() override {
    pretend_at_most(GetParam());
    if (!has_avx2()) GTEST_SKIP() << "the rule is to use copies here";
  }
  void TearDown() override { pretend_at_most(VectorSet::avx512); }
};
INSTANTIATE_TEST_SUITE_P(OfProcessors, DirectRules,
                         testing::Values(VectorSet::avx2, VectorSet::avx512));

}  // namespace

TEST_P(DirectRules, no_copies_of_what_the_caches_hold) {
  for (const std::vector<int>& axes : std::vector<std::vector<int>>{{2, 1}, {0}, {2}, {1, 0}})
    EXPECT_EQ(rule(pass_along(axes, true)), Pair(true, true));
}

TEST_P(DirectRules, beyond_the_caches_groups_are_written_unless_stores_bypass_the_caches) {
  EXPECT_EQ(rule(pass_along({2, 1}, false, true)), Pair(false, false));
  EXPECT_EQ(rule(pass_along({2, 1}, false)), Pair(false, true));
  EXPECT_EQ(rule(pass_along({0}, false)), Pair(false, false));
  EXPECT_EQ(rule(pass_along({1, 0}, false, true)), Pair(false, false));
}

TEST_P(DirectRules, a_pass_that_only_moves_data_copies) {
  PassSpec spec = pass_along({}, true);
  spec.target = {{Box::whole({4, 64, 64}), 0, 0, {4096, 64, 1}, Patch::resident}};
  EXPECT_EQ(rule(spec), Pair(false, false));
}

TEST_P(DirectRules, points_at_whole_pages_are_written_by_copies) {
  for (const bool fits : {true, false})
    for (const std::int64_t stride : {256, 512, 255, 64}) {
      PassSpec spec = pass_along({2, 1}, fits);
      Patch patch{Box::whole({4, 64, 64}), 0, 0, {stride * 64, stride, 1}, Patch::resident};
      spec.target = {patch};
      const bool is_whole = stride % 256 == 0;  // of complex doubles
      EXPECT_EQ(rule(spec), Pair(fits, !is_whole)) << stride;
      spec.target.front().box = Box::whole({4, 8, 64});  // as many as a set has ways
      EXPECT_EQ(rule(spec), Pair(fits, true)) << stride;
    }
}

// Backward, r2c begins with the axis that it ends with forward.
TEST_P(DirectRules, rows_are_those_of_the_axis_that_comes_first) {
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
