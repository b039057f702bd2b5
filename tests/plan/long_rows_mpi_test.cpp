// plan/plan: tiles and groups with long rows, as data that exceed the shared caches have them,
// against direct sums.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/fft/engine.hpp"
#include "weft/making/maker.hpp"
#include "weft/planning/strategy.hpp"
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
    for (const PassProgram& pass : sweep.passes) {
      const PassSpec& spec = pass.spec;
      if (spec.axes == std::vector<int>{0}) return pass.tiles.front().real.extent(2);
      if (spec.axes.size() == 2)
        return group_limits(spec.limits, spec.spectral_scalar.bytes(), true)
            .run(problem.extents[0]);
    }
  return 0;
}

// The passes over axes 2 and 0, one by one and in one pass, and then an exchange of arrays. Tiles
// of the pass over axis 0 have rows of at least so many points, groups of columns of at least 32.
void is_right_with_long_rows(const Problem& problem, std::int64_t least_row_points) {
  const int ranks = ranks_of_world();
  const Reference& reference = known_reference(validated(problem), 11);
  for (const std::string choice : {"in columns streamed", "in rows cached"})
    for (const bool has_groups : {false, true}) {
      std::string strategy = fmt::format("{} | from 1x{}x1 | fft 2", find_engine("").name, ranks);
      strategy +=
          has_groups ? fmt::format(",0 {}", choice) : fmt::format(" {0} | fft 0 {0}", choice);
      if (ranks > 1) strategy += fmt::format(" | shared to {}x1x1", ranks);
      EXPECT_GE(row_points(problem, strategy), has_groups ? 32 : least_row_points) << strategy;
      Options options;
      options.effort = Effort::estimate;
      options.pretend.cache_bytes = cache_bytes;
      options.pretend.shared_cache_bytes = shared_cache_bytes;
      options.threads = 2;
      options.strategy = strategy;
      AnyPlan plan(MPI_COMM_WORLD, problem, options);
      const auto failure = check_plan(plan, reference);
      EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
    }
}

// Four points along axis 0, so that a rank's part is small: 1 MiB or more. Axis 1, which grows with
// the ranks, is not transformed, as its direct sums would take long.
Problem problem_of(Kind kind, Precision precision, std::int64_t last = 128) {
  Problem problem = of({4, 128 * ranks_of_world(), last});
  problem.axes = {0, 2};
  problem.kind = kind;
  problem.precision = precision;
  return problem;
}

// Direct sums of more would take too long.
class LongRows : public testing::Test {
 protected:
  void SetUp() override {
    if (ranks_of_world() > 3) GTEST_SKIP() << "fields for 3 ranks at most";
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
