// choose/ranking: which strategies are compared.

#include "weft/choose/ranking.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "weft/fft/engine.hpp"
#include "weft/machine/machine_model.hpp"
#include "weft/making/blueprint.hpp"

namespace weft {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Problem valid_cube(std::int64_t side) {
  Problem problem;
  problem.extents = {side, side, side};
  return validated(problem);
}

TEST(Ranking, puts_axes_into_a_pass_only_if_a_cache_holds_the_tile) {
  const CostPredictor predictor(cluster_100g(), 4);
  const std::map<std::int64_t, std::size_t> most_axes{{64, 2}, {256, 2}, {1024, 1}};
  for (const auto& [side, expected] : most_axes) {
    std::size_t most = 0;
    for (const Ranked& each : ranked_strategies(valid_cube(side), predictor, {}))
      for (const Stage& stage : each.strategy.stages)
        if (const auto* pass = std::get_if<PassStage>(&stage))
          most = std::max(most, pass->axes.size());
    EXPECT_EQ(most, expected) << side;
  }
}

TEST(Ranking, has_slabs_that_exchange_in_the_middle_of_four_axes_and_more) {
  const CostPredictor predictor(cluster_100g(), 2);
  const auto texts = [&](const Problem& problem, const Options& options) {
    std::vector<std::string> all;
    for (const Ranked& each : ranked_strategies(problem, predictor, options)) {
      all.push_back(to_string(each.strategy));
      EXPECT_NO_THROW(check_ends(Blueprint::of(problem, each.strategy, predictor.ranks())));
    }
    return all;
  };
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    Problem problem;
    problem.kind = kind;
    problem.extents = {64, 64, 64, 64};
    const std::string two_and_two =
        find_engine("").name + " | from 2x1x1x1 | fft 3,2 | shared to 1x1x2x1 | fft 1,0";
    EXPECT_THAT(texts(validated(problem), {}), Contains(two_and_two));
    Options options;
    options.decomposition = Distribution::slab;
    EXPECT_THAT(texts(validated(problem), options), Contains(two_and_two));
    options.decomposition = Distribution::pencil;
    EXPECT_THAT(texts(validated(problem), options), Not(Contains(two_and_two)));
    problem.output.form = Distribution::same;
    EXPECT_THAT(texts(validated(problem), {}), Not(Contains(two_and_two)));
    problem.output.form = Distribution::free;
    problem.extents = {8, 8, 1, 8, 8, 8};  // no slabs along the third axis
    const auto of_six = texts(validated(problem), {});
    EXPECT_THAT(of_six, Contains(HasSubstr("to 1x1x1x2x1x1 |")));
    EXPECT_THAT(of_six, Contains(HasSubstr("to 1x1x1x1x2x1 |")));
    EXPECT_THAT(of_six, Not(Contains(HasSubstr("to 1x1x2x1x1x1 |"))));
  }
}

// A halved axis is transformed before all axes that stay real, wherever it lies.
TEST(Ranking, has_only_strategies_that_solve_problems_of_mixed_bases) {
  for (const int ranks : {2, 3, 4})
    for (const int axes : {4, 5})
      for (int mixed = 0; mixed < 1 << axes; ++mixed) {
        Problem problem;
        problem.kind = Kind::r2c;
        for (int a = 0; a < axes; ++a) {
          problem.extents.push_back(12 + a);
          problem.bases.push_back((mixed >> a & 1) != 0 ? Basis::fourier : Basis::dst2);
        }
        if (mixed == 0) problem.kind = Kind::r2r;
        problem = validated(problem);
        const CostPredictor predictor(cluster_100g(), ranks);
        for (const Ranked& each : ranked_strategies(problem, predictor, {}))
          EXPECT_NO_THROW(check_ends(Blueprint::of(problem, each.strategy, predictor.ranks())))
              << to_string(each.strategy);
      }
}

}  // namespace
}  // namespace weft
