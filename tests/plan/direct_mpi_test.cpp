// plan/plan: passes that read arrays and write to them without copies, against direct sums, and
// with the same bits as those with copies.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// Runs what is chosen by estimate for each engine with all four combinations of loads and stores.
void is_right_and_has_the_same_bits(const Problem& problem, bool rows = false) {
  const Reference& reference = known_reference(validated(problem), 5);
  Options options = quick();
  options.threads = 2;
  for (const EngineEntry& entry : engines()) {
    if (entry.applies()) continue;
    // Ranks that share cores wait for each other longer than they compute.
    if (ranks_of_world() > 2 && entry.name != engines().front().name) continue;
    options.engine = entry.name;
    options.strategy.clear();
    Strategy strategy = parse_strategy(AnyPlan(MPI_COMM_WORLD, problem, options).strategy());
    std::vector<std::byte> expected;
    for (const bool loads : {false, true})
      for (const bool stores : {false, true}) {
        for (Stage& stage : strategy.stages)
          if (auto* pass = std::get_if<PassStage>(&stage)) {
            pass->choice.loads_directly = loads;
            pass->choice.stores_directly = stores;
            if (rows) pass->choice.keeps_columns = false;
          }
        options.engine.clear();
        options.strategy = to_string(strategy);
        AnyPlan plan(MPI_COMM_WORLD, problem, options);
        std::vector<std::byte> bits;
        const auto failure = check_plan(plan, reference, &bits, Arrays::of_weft);
        EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
        if (!loads && !stores) expected = bits;
        EXPECT_TRUE(bits == expected) << options.strategy;
      }
  }
}

}  // namespace

// Lengths of lanes, of FFTW's short lines, of convolutions, and of uneven parts.
TEST(Direct, transforms_have_the_bits_of_those_with_copies) {
  for (const Extents& extents :
       std::vector<Extents>{{12, 40, 64}, {7, 27, 38}, {24, 1, 48}, {64, 9}, {6, 4, 5, 32}})
    for (const bool in_place : {false, true}) {
      Problem problem = of(extents);
      problem.in_place = in_place;
      problem.output = Distribution::same;
      is_right_and_has_the_same_bits(problem);
    }
  is_right_and_has_the_same_bits(of({12, 40, 64}), /*rows=*/true);
}

// Kernels multiply by their factor: of both normalizations, in both precisions, and of a field that
// is real on one side.
TEST(Direct, transforms_of_powers_of_two_points) {
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    for (const Norm norm : {Norm::backward, Norm::ortho}) {
      Problem problem = of({8, 32, 64});
      problem.precision = precision;
      problem.norm = norm;
      problem.output = Distribution::same;
      is_right_and_has_the_same_bits(problem);
      problem.in_place = true;
      is_right_and_has_the_same_bits(problem);
    }
  is_right_and_has_the_same_bits(of({32, 64}));
  is_right_and_has_the_same_bits(of({32, 32, 64}, Kind::r2c));
}

TEST(Direct, transforms_of_real_fields_and_of_floats) {
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    Problem problem = of({10, 26, 48}, Kind::r2c);
    problem.precision = precision;
    is_right_and_has_the_same_bits(problem);
    problem.kind = Kind::c2c;
    problem.norm = Norm::forward;
    is_right_and_has_the_same_bits(problem);
  }
}

TEST(Direct, transforms_of_batches_sums_of_cosines_and_parts_of_spectra) {
  Problem problem = of({8, 24, 20});
  problem.batch = 3;
  is_right_and_has_the_same_bits(problem);
  Problem cosines = of({8, 24, 32}, Kind::r2r);
  cosines.bases = {Basis::dct2, Basis::dst2, Basis::dct2};
  is_right_and_has_the_same_bits(cosines);
  Problem pruned = of({8, 24, 40});
  pruned.modes = {8, 12, 20};
  is_right_and_has_the_same_bits(pruned);
}
