// choose/describe_predictions and why_slower: what plans say about other strategies.

#include "weft/choose/describe_predictions.hpp"

#include <gmock/gmock.h>

#include "support/random_problem.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/choose/why_slower.hpp"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;

Machine predicted_machine(int nodes, int ranks_of_node) {
  Machine machine;
  machine.ranks = nodes * ranks_of_node;
  for (int rank = 0; rank < machine.ranks; ++rank)
    machine.node_of_rank.push_back(rank / ranks_of_node);
  machine.threads_of_rank.assign(static_cast<std::size_t>(machine.ranks), 1);
  machine.speeds = {8e9, nodes > 1 ? 1e9 : 0, 20e-6, 16e9, 1e-9};
  return machine;
}

std::string described(const Problem& problem, const Machine& machine, const Options& options = {}) {
  const CostPredictor predictor = CostPredictor::here(machine);
  const Blueprint blueprint =
      Blueprint::of(problem, planned_strategy(problem, predictor, options), machine);
  const auto cost = predictor.cost(blueprint.strategy, problem, exchange_kinds());
  return describe_predictions(cost, blueprint, predictor, options);
}

Problem field(const Extents& extents) {
  Problem problem;
  problem.extents = extents;
  return validated(problem);
}

TEST(DescribePredictions, tell_the_speeds_and_why_others_lose) {
  const std::string text = described(field({64, 96, 128}), predicted_machine(4, 2));
  EXPECT_THAT(text, HasSubstr("predicted: "));
  EXPECT_THAT(text, HasSubstr("a rank walks over 8.0 GB/s, in the shared cache 16.0"));
  EXPECT_THAT(text, HasSubstr("a node sends 1.00 GB/s, a message takes 20.0 us"));
  EXPECT_THAT(text, HasSubstr("predicted to take longer:\n"));
  EXPECT_THAT(text, HasSubstr("(passes +"));
}

TEST(DescribePredictions, have_no_links_on_one_node_and_no_others_of_a_given_strategy) {
  const Problem problem = field({64, 64, 64});
  Options options;
  options.strategy = "fftw | from 1x1x1 | fft 2,1 | fft 0";
  const std::string text = described(problem, predicted_machine(1, 1), options);
  EXPECT_THAT(text, Not(HasSubstr("a node sends")));
  EXPECT_THAT(text, Not(HasSubstr("other")));
  EXPECT_THAT(text, Not(HasSubstr("longer")));
}

TEST(DescribePredictions, are_by_nominal_speeds_where_nothing_was_measured) {
  Machine machine = predicted_machine(2, 2);
  machine.speeds = {};
  const std::string text = described(field({64, 64, 64}), machine);
  EXPECT_THAT(text, HasSubstr("ms forward"));
  EXPECT_THAT(text, HasSubstr("from the nominal speeds of a cluster, as nothing was measured"));
  EXPECT_THAT(text, Not(HasSubstr("longer")));
}

TEST(DescribePredictions, ask_no_placement_of_the_users) {
  const Problem problem = field({64, 64, 64});
  const Machine machine = predicted_machine(1, 2);
  const CostPredictor predictor = CostPredictor::here(machine);
  const Blueprint blueprint =
      Blueprint::of(problem, planned_strategy(problem, predictor, {}), machine);
  const auto cost = predictor.cost(blueprint.strategy, problem, exchange_kinds());
  Options options;
  int asked = 0;
  options.placement = {2, [&](const Dims& grid, const Dims& piece) {
                         ++asked;
                         return static_cast<int>(ProcessGrid{grid}.piece(piece) % 2);
                       }};
  EXPECT_THAT(describe_predictions(cost, blueprint, predictor, options), HasSubstr("predicted: "));
  EXPECT_EQ(asked, 0);
}

// On random nodes, with all that problems and options may ask for.
TEST(DescribePredictions, are_there_for_whatever_a_plan_may_be) {
  int described_cases = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    test::RandomCase random = test::random_case(seed, 12);
    const int of_node = random.ranks % 3 == 0 ? 3 : random.ranks % 2 == 0 ? 2 : 1;
    const Machine machine = predicted_machine(random.ranks / of_node, of_node);
    const CostPredictor predictor = CostPredictor::here(machine);
    std::optional<Blueprint> blueprint;
    Problem problem;
    try {
      problem = with_placed_columns(test::problem_of(random), machine, random.options);
      random.options.engine = "fftw";
      blueprint = Blueprint::of(
          problem, fastest_strategy(problem, CostPredictor::here(machine), random.options),
          machine);
      check_ends(*blueprint);
    } catch (const Error&) {  // plans refuse it, too
      continue;
    }
    if (blueprint->moves_parts()) continue;
    const auto cost = predictor.cost(blueprint->strategy, problem, exchange_kinds());
    EXPECT_GE(cost.seconds(), 0) << seed;
    EXPECT_LT(cost.seconds(), 10) << seed;
    EXPECT_THAT(describe_predictions(cost, *blueprint, predictor, random.options),
                HasSubstr("predicted: "))
        << seed;
    ++described_cases;
  }
  EXPECT_GT(described_cases, 150);
}

TEST(PredictorHere, takes_the_speeds_that_were_measured) {
  const CostPredictor predictor = CostPredictor::here(predicted_machine(3, 2));
  EXPECT_DOUBLE_EQ(predictor.speeds().walked_bytes_per_second(RankSpeeds::beyond_caches), 8e9);
  EXPECT_DOUBLE_EQ(transform_seconds_per_point(predictor.machine(), 256, {true}), 1e-9);
  EXPECT_DOUBLE_EQ(predictor.machine().message_seconds, 20e-6);
  EXPECT_DOUBLE_EQ(memory_share(predictor.machine(), 2, 0), 16e9);
}

// Threads must not change a bit where nothing may be measured.
TEST(PredictorHere, knows_no_threads_where_nothing_was_measured) {
  Machine machine = predicted_machine(1, 2);
  machine.speeds = {};
  const MachineModel of_one = model_of(machine);
  machine.threads_of_rank = {4, 4};
  EXPECT_EQ(model_of(machine), of_one);
}

// Nodes of any sizes, with ranks in any order.
TEST(PredictorHere, is_there_for_any_nodes) {
  const Problem problem = field({16, 16, 16});
  Machine machine = predicted_machine(3, 2);
  const auto seconds = [&] {
    const Strategy strategy = fastest_strategy(problem, CostPredictor::here(machine), {});
    return CostPredictor::here(machine).cost(strategy, problem, exchange_kinds()).seconds();
  };
  const double in_order = seconds();
  machine.node_of_rank = {0, 1, 2, 0, 1, 2};
  EXPECT_NEAR(seconds(), in_order, 0.5 * in_order);
  machine.node_of_rank = {0, 0, 0, 0, 1, 2};
  EXPECT_GT(seconds(), 0);
}

TEST(WhySlower, is_what_takes_most) {
  StageCost pass, exchange;
  pass.memory = 1;
  exchange.is_exchange = true;
  exchange.links = 2;
  const StrategyCost best{{pass, exchange}, 0.5};
  EXPECT_EQ(why_slower(best, best).seconds, 0);
  StrategyCost other = best;
  other.stages[0].memory = 3;
  other.stages[1].links = 3;
  EXPECT_STREQ(why_slower(other, best).spending, "passes");
  EXPECT_DOUBLE_EQ(why_slower(other, best).seconds, 2);
  other = best;
  other.hidden = 0;
  EXPECT_STREQ(why_slower(other, best).spending, "less hidden");
}

}  // namespace
}  // namespace weft
