// measuring/time_limit: what is done once in any case, at least, and at most.

#include "weft/measuring/time_limit.hpp"

#include <gtest/gtest.h>

using namespace weft;

namespace {

// A clock that stands still unless it is moved.
class StoppedClock : public testing::Test {
 protected:
  TimeLimit limit(double seconds, double most) {
    return {seconds, most, [this] { return time_; }};
  }
  double time_ = 100;
};

}  // namespace

TEST_F(StoppedClock, allows_most_until_the_aim_least_until_the_end_and_one_in_any_case) {
  const TimeLimit all = limit(2, 5);
  EXPECT_EQ(all.left(), 2);
  EXPECT_TRUE(all.allows(9, 3, 10));
  EXPECT_FALSE(all.allows(10, 3, 10));
  time_ += 2;
  EXPECT_TRUE(all.is_reached());
  EXPECT_FALSE(all.is_over());
  EXPECT_EQ(all.left(), 0);
  EXPECT_TRUE(all.allows(2, 3, 10));
  EXPECT_FALSE(all.allows(3, 3, 10));
  time_ += 3;
  EXPECT_TRUE(all.is_over());
  EXPECT_TRUE(all.allows(0, 3, 10));
  EXPECT_FALSE(all.allows(1, 3, 10));
}

TEST_F(StoppedClock, gives_parts_no_more_time_than_it_has) {
  const TimeLimit all = limit(2, 5);
  time_ += 1;
  EXPECT_EQ(all.part(0.5).left(), 0.5);
  EXPECT_EQ(all.part(9).left(), 1);
  // A part may begin late, and have its share all the same, until all of the time is over.
  time_ += 2;
  EXPECT_EQ(all.part(0.5).left(), 0);
  EXPECT_EQ(all.part(0.5, 4).left(), 0.5);
  EXPECT_EQ(all.part(9, 4).left(), 1);
  EXPECT_EQ(all.part(9, 9).left(), 2);
  EXPECT_TRUE(all.part(9, 3).is_over());
}
