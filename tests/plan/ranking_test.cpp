// plan/ranking: which strategies are compared; replays choose numbers of chunks, and keep those
// that were asked for.

#include "weft/plan/ranking.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "weft/fft/engine.hpp"
#include "weft/machines/machine_model.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/plan/replayed.hpp"

namespace weft {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

MachineModel preset(const std::string& name) {
  for (const MachinePreset& each : machine_presets())
    if (each.machine.name == name) return each.machine;
  return {};
}

Problem valid_cube(std::int64_t side) {
  Problem problem;
  problem.extents = {side, side, side};
  return validated(problem);
}

double seconds_of(const Ranked& ranked, const Problem& problem, const CostPredictor& predictor) {
  return replayed(ranked.strategy, ranked.cost, problem, predictor).seconds;
}

TEST(Ranking, puts_axes_into_a_pass_only_if_a_cache_holds_the_tile) {
  const CostPredictor predictor(preset("cluster-100g"), 4);
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
  const CostPredictor predictor(preset("cluster-100g"), 2);
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
        const CostPredictor predictor(preset("cluster-100g"), ranks);
        for (const Ranked& each : ranked_strategies(problem, predictor, {}))
          EXPECT_NO_THROW(check_ends(Blueprint::of(problem, each.strategy, predictor.ranks())))
              << to_string(each.strategy);
      }
}

TEST(ReplayBest, takes_the_chunks_that_are_fastest) {
  const Problem problem = valid_cube(128);
  const CostPredictor predictor(preset("blue-gene-l"), 64);
  std::vector<Ranked> ranked = ranked_strategies(problem, predictor, {});
  double before = 1;
  for (int i = 0; i < 3; ++i)
    before = std::min(before, seconds_of(ranked[static_cast<std::size_t>(i)], problem, predictor));
  replay_best(ranked, 3, problem, predictor, {});
  EXPECT_EQ(ranked.front().seconds(), seconds_of(ranked.front(), problem, predictor));
  EXPECT_LT(ranked.front().seconds(), 0.95 * before) << to_string(ranked.front().strategy);
}

TEST(ReplayBest, keeps_chunks_that_were_asked_for) {
  const Problem problem = valid_cube(64);
  const CostPredictor predictor(preset("blue-gene-l"), 16);
  Options options;
  options.chunks = 3;
  std::vector<Ranked> ranked = ranked_strategies(problem, predictor, options);
  replay_best(ranked, 2, problem, predictor, options);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_THAT(to_string(ranked[i].strategy), HasSubstr(" in 3")) << i;
  options.chunks = 0;
  options.strategy = "fftw | from 16x1x1 | fft 2,1 | p2p to 1x16x1 in 2 | fft 0";
  ranked = ranked_strategies(problem, predictor, options);
  replay_best(ranked, 1, problem, predictor, options);
  EXPECT_EQ(to_string(ranked.front().strategy), options.strategy);
}

}  // namespace
}  // namespace weft
