// compute/line_trial: what is timed are transforms of as many points as it says.

#include "weft/compute/line_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace weft;

namespace {

double seconds_per_point(std::int64_t n, bool are_columns) {
  const auto engine = find_engine("").make();
  LineTrial trial(*engine, {n, are_columns}, std::int64_t{1} << 20, Effort::estimate);
  EXPECT_GE(trial.points(), static_cast<double>(n));
  double least = trial.seconds();
  for (int i = 0; i < 9; ++i) least = std::min(least, trial.seconds());
  return least / trial.points();
}

}  // namespace

TEST(LineTrial, takes_longer_for_a_point_of_longer_lines) {
  for (const bool are_columns : {false, true}) {
    const double is_short = seconds_per_point(4, are_columns);
    const double is_long = seconds_per_point(16384, are_columns);
    EXPECT_GT(is_long, 1.3 * is_short) << are_columns;
    EXPECT_GT(is_short, 1e-12);
    EXPECT_LT(is_long, 1e-5);
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
