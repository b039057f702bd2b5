// plan/ranking: replays choose numbers of chunks, and keep those that were asked for.

#include "weft/plan/ranking.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "weft/model/machine_model.hpp"
#include "weft/plan/replayed.hpp"

namespace weft {
namespace {

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
    EXPECT_THAT(to_string(ranked[i].strategy), testing::HasSubstr(" in 3")) << i;
  options.chunks = 0;
  options.strategy = "fftw | from 16x1x1 | fft 2,1 | p2p to 1x16x1 in 2 | fft 0";
  ranked = ranked_strategies(problem, predictor, options);
  replay_best(ranked, 1, problem, predictor, options);
  EXPECT_EQ(to_string(ranked.front().strategy), options.strategy);
}

}  // namespace
}  // namespace weft
