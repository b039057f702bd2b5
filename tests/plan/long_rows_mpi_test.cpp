// plan/plan: tiles and groups with long rows, as data that exceed the shared caches have them,
// against direct sums.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/model/strategy.hpp"
#include "weft/program/maker.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::int64_t cache_bytes = 4096, shared_cache_bytes = 65536;

// The points along the last axis of the first tile of the pass over axis 0 alone, or of a group of
// columns where that pass has axis 2, too.
std::int64_t row_points(const Problem& problem, const std::string& strategy) {
  Machine machine;
  machine.ranks = ranks_of_world();
  machine.node_of_rank.assign(static_cast<std::size_t>(machine.ranks), 0);
  machine.cache_bytes = cache_bytes;
  machine.shared_cache_bytes = shared_cache_bytes;
  const Blueprint blueprint = Blueprint::of(validated(problem), parse_strategy(strategy), machine);
  for (const SweepProgram& sweep : make_program(blueprint, true, 0).sweeps)
    for (const PassProgram& pass : sweep.passes)
      if (pass.spec.axes == std::vector<int>{0})
        return pass.tiles.front().real.extent(2);
      else if (pass.spec.axes.size() == 2)
        return group_limits(pass.spec.limits, pass.spec.spectral_scalar.bytes(), true)
            .run(problem.extents[0]);
  return 0;
}

// Four points along axis 0, so that the fields are small; a rank has 1 MiB of them or more.
void is_right_with_long_rows(Problem problem, std::int64_t least_row_points) {
  const int ranks = ranks_of_world();
  const Reference& reference = known_reference(validated(problem), 11);
  for (const std::string axes : {"fft 2 | fft 0", "fft 2,0"})
    for (const std::string choice : {" in columns streamed", " in rows cached"}) {
      const std::size_t bar = axes.find(" |");
      const std::string passes = bar == std::string::npos
                                     ? axes + choice
                                     : axes.substr(0, bar) + choice + axes.substr(bar) + choice;
      const std::string strategy =
          ranks == 1
              ? fmt::format("weft | from 1x1x1 | {} | fft 1", passes)
              : fmt::format("weft | from 1x{0}x1 | {1} | p2p to {0}x1x1 | fft 1", ranks, passes);
      // A group of four columns has rows of 512 bytes.
      const bool has_groups = bar == std::string::npos;
      EXPECT_GE(row_points(problem, strategy), has_groups ? 32 : least_row_points) << strategy;
      Options options;
      options.effort = Effort::estimate;
      options.cache_bytes = cache_bytes;
      options.shared_cache_bytes = shared_cache_bytes;
      options.threads = 2;
      options.strategy = strategy;
      AnyPlan plan(MPI_COMM_WORLD, problem, options);
      const auto failure = check_plan(plan, reference);
      EXPECT_FALSE(failure) << *failure << "\n" << plan.describe();
    }
}

Problem problem_of(Kind kind, Precision precision, std::int64_t last = 128) {
  Problem problem = of({4, 128 * ranks_of_world(), last});
  problem.kind = kind;
  problem.precision = precision;
  return problem;
}

// Direct sums of more would take too long.
class LongRows : public testing::Test {
 protected:
  void SetUp() override {
    if (ranks_of_world() > 2) GTEST_SKIP() << "fields for 2 ranks at most";
  }
};

}  // namespace

TEST_F(LongRows, of_complex_fields) {
  is_right_with_long_rows(problem_of(Kind::c2c, Precision::double_precision, 135), 44);
}

TEST_F(LongRows, of_single_precision) {
  is_right_with_long_rows(problem_of(Kind::c2c, Precision::single_precision, 256), 128);
}

TEST_F(LongRows, of_real_fields) {
  is_right_with_long_rows(problem_of(Kind::r2c, Precision::double_precision, 257), 43);
}

TEST_F(LongRows, of_cosines) {
  Problem problem = problem_of(Kind::c2c, Precision::double_precision);
  problem.bases = {Basis::dct2, Basis::fourier, Basis::fourier};
  is_right_with_long_rows(problem, 64);
}
