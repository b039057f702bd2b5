// compute/line_trial: what is timed are transforms of as many points as it says.

#include "weft/compute/line_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "support/patience.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// The fastest of all runs so far: what else the machine does slows down some of them.
class FastestRun {
 public:
  FastestRun(std::int64_t n, bool are_columns)
      : engine_(find_engine("").make()),
        trial_(*engine_, {n, are_columns}, std::int64_t{1} << 20, Effort::estimate) {
    EXPECT_GE(trial_.points(), static_cast<double>(n));
  }
  double seconds_per_point() {
    for (int i = 0; i < 10; ++i) least_ = std::min(least_, trial_.seconds());
    return least_ / trial_.points();
  }

 private:
  std::unique_ptr<Engine> engine_;
  LineTrial trial_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

TEST(LineTrial, takes_longer_for_a_point_of_longer_lines) {
  for (const bool are_columns : {false, true}) {
    FastestRun of_short(4, are_columns), of_long(16384, are_columns);
    EXPECT_TRUE(comes_true([&] {
      const double is_short = of_short.seconds_per_point(), is_long = of_long.seconds_per_point();
      return is_long > 1.3 * is_short && is_short > 1e-12 && is_long < 1e-5;
    })) << are_columns;
  }
}

TEST(LineTrial, takes_at_least_a_few_lines) {
  const auto engine = find_engine("").make();
  for (const bool are_real : {false, true})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      for (const std::int64_t n : {1, 2, 25, 100}) {
        LineTrial trial(*engine, {n, !are_real, are_real, precision}, 16, Effort::estimate);
        EXPECT_GE(trial.points(), 8.0 * static_cast<double>(n));
        EXPECT_GT(trial.seconds(), 0);
      }
}
