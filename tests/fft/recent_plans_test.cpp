// fft/recent_plans: the same plan for the same lines, no other one, and not too many.

#include "weft/fft/recent_plans.hpp"

#include <gtest/gtest.h>

#include <array>

using namespace weft;

namespace {

struct Made {
  explicit Made(int of) : number(of) {}
  int number;
};

class RecentPlansTest : public testing::Test {
 protected:
  // The number of the plan for these lines, and of how many were made.
  int plan_of(const Lines& lines, std::size_t in = 0, std::size_t out = 64, bool measured = false) {
    const PlanKey key(lines, memory_.data() + in, memory_.data() + out, measured);
    return recent_.find_or_make(key, [&] { return std::make_shared<Made>(made_++); })->number;
  }
  static Lines of(std::int64_t n) {
    Lines lines;
    lines.n = n;
    return lines;
  }

  alignas(64) std::array<char, 256> memory_{};
  RecentPlans<Made> recent_;
  int made_ = 0;
};

TEST_F(RecentPlansTest, are_found_for_the_same_lines_in_arrays_that_are_alike) {
  EXPECT_EQ(plan_of(of(8)), 0);
  EXPECT_EQ(plan_of(of(8)), 0);
  EXPECT_EQ(plan_of(of(8), 64, 128), 0);
}

TEST_F(RecentPlansTest, are_others_for_whatever_differs) {
  Lines columns = of(8), back = of(8), many = of(8);
  columns.in_stride = 8;
  back.sign = 1;
  many.loops = {{2, 8, 8}};
  int next = 0;
  for (const Lines& lines : {of(8), of(9), columns, back, many}) EXPECT_EQ(plan_of(lines), next++);
  EXPECT_EQ(plan_of(of(8), 0, 0), next++);    // in place
  EXPECT_EQ(plan_of(of(8), 16, 64), next++);  // aligned otherwise
  EXPECT_EQ(plan_of(of(8), 0, 80), next++);
  EXPECT_EQ(plan_of(of(8), 0, 64, true), next++);  // measured
  EXPECT_EQ(plan_of(of(8)), 0);
}

TEST_F(RecentPlansTest, are_kept_if_they_were_used_last) {
  for (int n = 1; n <= 64; ++n) EXPECT_EQ(plan_of(of(n)), n - 1);
  EXPECT_EQ(plan_of(of(1)), 0);    // used again, so that the second is the oldest
  EXPECT_EQ(plan_of(of(65)), 64);  // drops the second
  EXPECT_EQ(plan_of(of(1)), 0);
  EXPECT_EQ(plan_of(of(3)), 2);
  EXPECT_EQ(plan_of(of(2)), 65);
}

TEST_F(RecentPlansTest, of_long_lines_are_not_kept) {
  EXPECT_EQ(plan_of(of(65537)), 0);
  EXPECT_EQ(plan_of(of(65537)), 1);
}

}  // namespace
