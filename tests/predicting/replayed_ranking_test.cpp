// predicting/replayed_ranking: replays choose numbers of chunks, and keep those that were asked
// for.

#include "weft/predicting/replayed_ranking.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "weft/networks/machine_presets.hpp"
#include "weft/networks/network_of.hpp"
#include "weft/predicting/replayed.hpp"
#include "weft/problem/validated.hpp"

namespace weft {
namespace {

using testing::HasSubstr;

CostPredictor blue_gene(int ranks) {
  for (const MachineModel& each : machine_presets())
    if (each.name == "blue-gene-l") return {each, network_of(each.network), ranks};
  throw std::runtime_error("there is no such preset");
}

Problem valid_cube(std::int64_t side) {
  Problem problem;
  problem.extents = {side, side, side};
  return validated(problem);
}

double seconds_of(const Ranked& ranked, const Problem& problem, const CostPredictor& predictor) {
  return replayed(ranked.strategy, ranked.cost, problem, predictor).seconds;
}

TEST(ReplayBest, takes_the_chunks_that_are_fastest) {
  const Problem problem = valid_cube(128);
  const CostPredictor predictor = blue_gene(64);
  const std::vector<Ranked> predicted = ranked_strategies(problem, predictor, {});
  double before = 1;
  for (int i = 0; i < 3; ++i)
    before =
        std::min(before, seconds_of(predicted[static_cast<std::size_t>(i)], problem, predictor));
  const auto ranked = replay_best(predicted, 3, problem, predictor, {});
  EXPECT_EQ(ranked.front().seconds(), seconds_of(ranked.front(), problem, predictor));
  EXPECT_LT(ranked.front().seconds(), 0.95 * before) << to_string(ranked.front().strategy);
}

TEST(ReplayBest, keeps_chunks_that_were_asked_for) {
  const Problem problem = valid_cube(64);
  const CostPredictor predictor = blue_gene(16);
  Options options;
  options.chunks = 3;
  auto ranked =
      replay_best(ranked_strategies(problem, predictor, options), 2, problem, predictor, options);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_THAT(to_string(ranked[i].strategy), HasSubstr(" in 3")) << i;
  options.chunks = 0;
  options.strategy = "fftw | from 16x1x1 | fft 2,1 | p2p to 1x16x1 in 2 | fft 0";
  ranked =
      replay_best(ranked_strategies(problem, predictor, options), 1, problem, predictor, options);
  EXPECT_EQ(to_string(ranked.front().strategy), options.strategy);
}

}  // namespace
}  // namespace weft
