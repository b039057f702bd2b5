// plan/plan: axes that are seen as two, in columns and in rows, against direct sums.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/engine_here.hpp"
#include "support/world.hpp"
#include "weft/fft/engine.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// Natural order in and out of a field whose last axis is split as first x second; the axes before
// it are transformed with its first half.
std::string strategy_of(const Extents& extents, const AxisSplit& split, const std::string& engine,
                        const std::string& exchange, const std::string& choice) {
  // The second half follows the first, so that later axes have higher numbers.
  const int second = split.axis + 1, ranks = ranks_of_world();
  std::vector<int> others;
  for (int axis = extents.size(); axis > second; --axis) others.push_back(axis);
  others.push_back(split.axis);
  for (int axis = 0; axis < split.axis; ++axis) others.push_back(axis);
  std::string ones, ones_after;
  for (int axis = 0; axis < split.axis; ++axis) ones += "1x";
  for (int axis = second; axis < extents.size(); ++axis) ones_after += "x1";
  // Most exchanges do not move arrays.
  const bool moves_arrays = exchange == "shared" || exchange == "node";
  const std::string at_ends = moves_arrays ? exchange : "alltoallw";
  const auto to = [&](const std::string& name, const std::string& grid) {
    return ranks == 1 ? std::string()
                      : fmt::format(" | {} to {}{}{}", name, ones, grid, ones_after);
  };
  return fmt::format("{} | split {} as {}x{} | from input{} | fft {}{}{} | fft {}{} | {} to output",
                     engine, split.axis, split.first, split.second,
                     to(at_ends, fmt::format("1x{}", ranks)), fmt::join(others, ","), choice,
                     to(exchange, fmt::format("{}x1", ranks)), second, choice, at_ends);
}

void is_right_split(const Extents& extents, const AxisSplit& split, const std::string& exchange) {
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    for (const bool in_place : {false, true}) {
      if (in_place && precision == Precision::single_precision) continue;
      Problem problem = of(extents);
      problem.precision = precision;
      problem.in_place = in_place;
      problem.output.form = Distribution::same;
      const Reference& reference = known_reference(validated(problem), 7);
      for (const std::string engine : {"fftw", "weft128"})
        for (const std::string choice : {" in columns", " in rows"}) {
          if (!has_engine(engine)) continue;
          Options options;
          options.effort = Effort::estimate;
          options.strategy = strategy_of(extents, split, engine, exchange, choice);
          AnyPlan plan(MPI_COMM_WORLD, problem, options);
          const auto failure = check_plan(plan, reference);
          EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
        }
    }
}

TEST(SplitLines, one_axis_in_columns_and_rows) {
  for (const char* exchange : {"shared", "p2p", "alltoallv"})
    is_right_split({600}, {0, 24, 25}, exchange);
  is_right_split({14 * 33}, {0, 33, 14}, "shared");
}

TEST(SplitLines, the_exchange_changes_no_bit) {
  Problem problem = of({24 * 50});
  problem.output.form = Distribution::same;
  const Reference& reference = known_reference(validated(problem), 8);
  for (const std::string engine : {"fftw", "weft128"})
    for (const std::string choice : {" in columns", " in rows"}) {
      if (!has_engine(engine)) continue;
      std::vector<std::byte> expected;
      for (const char* exchange : {"alltoallw", "alltoallv", "p2p", "shared", "node"}) {
        Options options;
        options.effort = Effort::estimate;
        options.strategy = strategy_of(problem.extents, {0, 24, 50}, engine, exchange, choice);
        AnyPlan plan(MPI_COMM_WORLD, problem, options);
        std::vector<std::byte> bits;
        const auto failure = check_plan(plan, reference, &bits);
        EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
        if (expected.empty()) expected = bits;
        EXPECT_TRUE(bits == expected) << plan.describe(Detail::all);
      }
    }
}

TEST(SplitLines, first_of_several_axes) {
  is_right_split({32 * 33, 5}, {0, 33, 32}, "shared");
  is_right_split({30 * 36, 3, 4}, {0, 30, 36}, "p2p");
}

TEST(SplitLines, one_in_the_middle) { is_right_split({3, 34 * 31, 2}, {1, 34, 31}, "alltoallv"); }

TEST(SplitLines, last_of_two_axes) {
  is_right_split({3, 25 * 24}, {1, 25, 24}, "shared");
  is_right_split({5, 12 * 13}, {1, 12, 13}, "p2p");
}

}  // namespace
