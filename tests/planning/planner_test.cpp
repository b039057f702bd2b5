// planning/planner: the strategies that are chosen for given machines.

#include "weft/planning/planner.hpp"

#include <gtest/gtest.h>

#include "support/dice.hpp"
#include "support/problem_of.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/traffic.hpp"

using namespace weft;
using namespace weft::test;

namespace {

Choices choices() {
  Choices c;
  c.engine = "fftw";
  c.exchanges = {{"p2p"}, {"alltoallv"}, {"alltoall"}, {"alltoallw", true}};
  c.small_exchange = "alltoall";
  c.large_exchange = "p2p";
  return c;
}

std::string plan(Problem problem, int ranks, const Choices& c = choices()) {
  return to_string(
      plan_strategy(validated(problem), CostPredictor::here({ranks, {}, 1 << 20}), c).strategy);
}

}  // namespace

TEST(Planner, one_rank_needs_no_exchange) {
  EXPECT_EQ(plan(of({256, 256, 256}), 1), "fftw | from 1x1x1 | fft 2,1 | fft 0");
  EXPECT_EQ(plan(of({32, 32, 32}), 1), "fftw | from 1x1x1 | fft 2,1,0");
  // A plane of 512x512 complex doubles is four times the cache.
  EXPECT_EQ(plan(of({512, 512, 512}), 1), "fftw | from 1x1x1 | fft 2 | fft 1 | fft 0");
}

// A tile may take a quarter of a level-3 cache of 32 MiB, and so four level-2 caches.
TEST(Planner, tiles_beyond_the_cache_are_many_and_no_larger_than_they_must_be) {
  const auto planned = [](Problem problem) {
    Machine machine{1, {}, 1 << 20};
    machine.shared_cache_bytes = 32 << 20;
    return to_string(
        plan_strategy(validated(problem), CostPredictor::here(machine), choices()).strategy);
  };
  EXPECT_EQ(planned(of({64, 64, 64})), "fftw | from 1x1x1 | fft 2,1 | fft 0");
  EXPECT_EQ(planned(of({64, 64, 64, 64})), "fftw | from 1x1x1x1 | fft 3,2 | fft 1,0");
  // A plane is four level-2 caches, and 64 rows fit one.
  EXPECT_EQ(planned(of({64, 512, 512})), "fftw | from 1x1x1 | fft 2,0 | fft 1");
  EXPECT_EQ(planned(of({4, 512, 512})), "fftw | from 1x1x1 | fft 2 | fft 1,0");
  Problem fields = of({64, 64, 64});
  fields.batch = 32;
  EXPECT_EQ(planned(fields), "fftw | from 1x1x1x1 | fft 3,2,1");
  fields.batch = 7;
  EXPECT_EQ(planned(fields), "fftw | from 1x1x1x1 | fft 3,2 | fft 1");
}

TEST(Planner, few_ranks_are_slabs_with_one_exchange) {
  EXPECT_EQ(plan(of({256, 256, 256}), 4), "fftw | from 4x1x1 | fft 2,1 | p2p to 1x4x1 | fft 0");
}

// Without chunks, and without what decides between equal times.
TEST(Planner, tells_what_a_strategy_is_predicted_to_take) {
  const std::vector<ExchangeKind> kinds{{"p2p"}, {"alltoall"}};
  for (const int ranks : {1, 4, 6}) {
    const CostPredictor predictor = CostPredictor::here({ranks, {}, 1 << 20});
    for (const Extents& extents : {Extents{64, 64, 64}, Extents{12, 100, 70}, Extents{512, 64}}) {
      const Problem problem = validated(of(extents));
      const Planned planned = plan_strategy(problem, predictor, choices());
      const double seconds =
          predictor.cost(planned.strategy, problem, kinds, CostPredictor::busiest_rank).seconds();
      EXPECT_GE(planned.seconds, seconds * (1 - 1e-6)) << to_string(planned.strategy);
      EXPECT_LE(planned.seconds, seconds * 1.05) << to_string(planned.strategy);
    }
  }
}

TEST(Planner, natural_order_gives_the_last_pass_something_to_do) {
  Problem problem = of({256, 256, 256});
  problem.output.form = Distribution::same;
  EXPECT_EQ(plan(problem, 2),
            "fftw | from 2x1x1 | fft 1 | p2p to 1x2x1 | fft 0 | p2p to 2x1x1 | fft 2");
}

TEST(Planner, more_ranks_than_planes_are_pencils) {
  const auto planned = plan_strategy(validated(of({64, 64, 64})),
                                     CostPredictor::here({256, {}, 1 << 20}), choices());
  const Route route = route_of(planned.strategy, validated(of({64, 64, 64})), 256);
  for (const auto& at : route.before) EXPECT_EQ(at.largest_volume(), 64 * 64 * 64 / 256);
}

TEST(Planner, real_data_are_halved_first) {
  EXPECT_EQ(plan(of({256, 256, 256}, Kind::r2c), 2),
            "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0");
  Problem problem = of({64, 64, 64}, Kind::r2c);
  problem.axes = {2, 1, 0};  // axis 0 is halved
  const std::string text = plan(problem, 2);
  EXPECT_LT(text.find("fft 0"), text.find("p2p")) << text;
}

TEST(Planner, a_long_line_is_split_in_two) {
  EXPECT_EQ(plan(of({1 << 20}), 4),
            "fftw | split 0 as 1024x1024 | from input | copy | p2p to 1x4 | fft 0 | p2p to 4x1 | "
            "fft 1 | p2p to output | copy");
}

TEST(Planner, a_prime_line_is_gathered) {
  EXPECT_EQ(plan(of({1009}), 4), "fftw | from 4 | copy | p2p to 1 | fft 0")
      << "the output is free: it stays on the one rank";
}

// With exchanges that share memory.
static Choices node_choices(const Machine& machine) {
  Choices c = choices();
  c.exchanges.push_back({"node", false, true});
  c.exchange_between_nodes = "node";
  if (machine.nodes() > 1) return c;
  c.exchanges.push_back({"shared", false, true});
  c.exchange_in_nodes = "shared";
  return c;
}

static Machine nodes_of(int nodes, int ranks_each) {
  Machine machine{nodes * ranks_each, {}, 1 << 20};
  for (int rank = 0; rank < machine.ranks; ++rank)
    machine.node_of_rank.push_back(rank / ranks_each);
  return machine;
}

static std::string plan(Problem problem, const Machine& machine) {
  return to_string(
      plan_strategy(validated(problem), CostPredictor::here(machine), node_choices(machine))
          .strategy);
}

TEST(Planner, on_one_node_natural_order_is_two_passes) {
  Problem problem = of({256, 256, 256});
  problem.output.form = Distribution::same;
  const char* two_passes =
      "fftw | from 4x1x1 | fft 2,1 | shared to 1x4x1 | fft 0 | shared to 4x1x1";
  EXPECT_EQ(plan(problem, nodes_of(1, 4)), two_passes);
  problem.kind = Kind::r2c;
  EXPECT_EQ(plan(problem, nodes_of(1, 4)), two_passes);
  // In place, a free output goes back as well: elsewhere it would take a second field.
  problem.output.form = Distribution::free;
  problem.in_place = true;
  EXPECT_EQ(plan(problem, nodes_of(1, 4)), two_passes);
  problem.in_place = false;
  EXPECT_EQ(plan(problem, nodes_of(1, 4)), "fftw | from 4x1x1 | fft 2,1 | shared to 1x4x1 | fft 0");
}

TEST(Planner, bricks_on_one_node_need_no_copies) {
  Problem problem = of({64, 64, 64});
  problem.input.form = problem.output.form = Distribution::brick;
  EXPECT_EQ(plan(problem, nodes_of(1, 8)).find("copy"), std::string::npos);
}

// Fields on two ranks: dealt out whole, one rank has one more than the other. A field that fits the
// cache of a core is walked over once in exchange for that, if there are some; a larger one is not.
TEST(Planner, a_batch_is_dealt_out_unevenly_only_where_that_costs_less) {
  const auto batch = [](int fields, const Extents& extents) {
    Problem problem = of(extents);
    problem.batch = fields;
    return problem;
  };
  const char* dealt_out = "fftw | from 1x2x1x1 | shared to 2x1x1x1 | fft 3,2,1 | shared to 1x2x1x1";
  const char* slabs = "fftw | from 1x2x1x1 | fft 3,2 | shared to 1x1x2x1 | fft 1";
  Machine machine = nodes_of(1, 2);  // 1 MiB for each core
  machine.shared_cache_bytes = 16 << 20;
  EXPECT_EQ(plan(batch(7, {32, 32, 32}), machine), dealt_out);  // fields of 0.5 MiB
  EXPECT_EQ(plan(batch(3, {64, 64, 64}), machine), slabs);      // 4 MiB, still one tile
  EXPECT_EQ(plan(batch(3, {128, 128, 128}), machine), slabs);
}

TEST(Planner, lines_that_exceed_the_cache_are_split_on_one_rank) {
  Machine machine = nodes_of(1, 1);  // 1 MiB for each core
  machine.shared_cache_bytes = 32 << 20;
  const auto is_split = [&](std::int64_t points) {
    return plan_strategy(validated(of({points})), CostPredictor::here(machine),
                         node_choices(machine))
        .strategy.split.has_value();
  };
  EXPECT_FALSE(is_split(1 << 16));
  EXPECT_TRUE(is_split(1 << 20));   // 16 MiB
  EXPECT_TRUE(is_split(1 << 22));   // 64 MiB
  EXPECT_FALSE(is_split(8388593));  // a prime
}

// On devices whose blocks hold lines of 2048 points.
TEST(Planner, lines_that_no_block_of_a_device_holds_are_split) {
  const auto split_of = [](const Extents& extents, int ranks, Kind kind = Kind::c2c) {
    Machine machine{ranks, {}};
    machine.has_devices = true;
    machine.block = {48 * 1024, 128, 8};
    return plan_strategy(validated(of(extents, kind)), CostPredictor::here(machine), choices())
        .strategy.split;
  };
  for (const int ranks : {1, 2, 3}) {
    EXPECT_EQ(split_of({4096}, ranks), (AxisSplit{0, 64, 64}));
    EXPECT_EQ(split_of({6, 5040, 8}, ranks), (AxisSplit{1, 70, 72}));
    // 2 * 2053, of which the second is a prime that needs a longer convolution
    EXPECT_FALSE(split_of({12, 4106, 12}, ranks));
    EXPECT_FALSE(split_of({12, 2048, 12}, ranks));
    EXPECT_FALSE(split_of({12, 8191, 12}, ranks));  // a prime
  }
  // The longest of several, and not the one that is halved.
  EXPECT_EQ(split_of({4096, 8, 8192}, 1, Kind::r2c), (AxisSplit{0, 64, 64}));
  EXPECT_EQ(split_of({4096, 8, 8192}, 1), (AxisSplit{2, 64, 128}));
}

TEST(Planner, long_columns_are_split_on_one_rank) {
  Machine machine = nodes_of(1, 1);  // 1 MiB for each core
  machine.shared_cache_bytes = 32 << 20;
  const auto split_of = [&](const Extents& extents, Kind kind = Kind::c2c) {
    return plan_strategy(validated(of(extents, kind)), CostPredictor::here(machine),
                         node_choices(machine))
        .strategy.split;
  };
  EXPECT_FALSE(split_of({1024, 1024}));
  EXPECT_FALSE(split_of({512, 512, 512}));
  EXPECT_FALSE(split_of({4096, 4096}));
  EXPECT_EQ(split_of({8192, 8192}), (AxisSplit{0, 32, 256}));
  EXPECT_EQ(split_of({8192, 2048}, Kind::r2c), (AxisSplit{0, 32, 256}));
  EXPECT_EQ(split_of({64, 8192, 64}), (AxisSplit{1, 32, 256}));
  EXPECT_FALSE(split_of({8191, 64}));      // a prime
  EXPECT_FALSE(split_of({64, 64, 8192}));  // rows of 128 KiB
}

// With no more nodes than planes, one exchange crosses the network, however many ranks there are.
TEST(Planner, nodes_are_the_slabs_and_their_ranks_share_each) {
  const Machine machine = nodes_of(8, 16);  // 128 ranks, 64 planes
  const Problem problem = validated(of({64, 64, 64}));
  const Planned planned =
      plan_strategy(problem, CostPredictor::here(machine), node_choices(machine));
  const Route route = route_of(planned.strategy, problem, machine.ranks);
  int crossing = 0;
  for (std::size_t i = 0; i < route.before.size(); ++i) {
    EXPECT_EQ(route.before[i].largest_volume(), 64 * 64 * 64 / 128);
    if (std::holds_alternative<ExchangeStage>(planned.strategy.stages[i]))
      crossing += busiest_traffic(route.before[i], route.after[i], machine).far_points > 0;
  }
  EXPECT_EQ(crossing, 1) << to_string(planned.strategy);
}

TEST(Planner, exchanges_that_cannot_take_arrays_get_copies) {
  Problem problem = of({64, 64, 64});
  problem.input.form = problem.output.form = Distribution::brick;
  Choices c = choices();
  c.exchange = "alltoallv";
  const std::string text = plan(problem, 8, c);
  EXPECT_NE(text.find("from 2x2x2 | copy | alltoallv to"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 4), "copy") << text;
  c.exchange = "alltoallw";
  EXPECT_EQ(plan(problem, 8, c).find("copy"), std::string::npos);
}

TEST(Planner, small_messages_are_padded) {
  Choices c = choices();
  c.form = Distribution::slab;
  const std::string text = plan(of({8, 8, 8}), 8, c);
  EXPECT_NE(text.find("alltoall to"), std::string::npos) << text;
}

TEST(Planner, a_decomposition_can_be_demanded) {
  Choices c = choices();
  c.form = Distribution::slab;
  EXPECT_EQ(plan(of({256, 256, 256}), 12, c),
            "fftw | from 12x1x1 | fft 2,1 | p2p to 1x12x1 | fft 0");
  c.form = Distribution::pencil;
  EXPECT_EQ(plan(of({256, 256, 256}), 12, c).substr(0, 14), "fftw | from 4x");
  c.grid = {3, 4};
  EXPECT_NE(plan(of({256, 256, 256}), 12, c).find("3x4"), std::string::npos);
}

TEST(Planner, a_grid_that_does_not_multiply_to_the_ranks_is_refused) {
  Choices c = choices();
  c.grid = {3, 2};
  try {
    plan(of({8, 8, 8}), 4, c);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "weft: the grid 3x2 has 6 parts for 4 ranks\n  try:   give numbers whose product is 4");
  }
}

// Every planned strategy has a route, prints and parses.
TEST(Planner, plans_for_hundreds_of_ranks_solve_their_problems) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Dice dice(seed);
    Problem problem = of(random_extents(dice, 1 << 20), dice.pick<Kind>({Kind::c2c, Kind::r2c}));
    problem.batch = dice.between(1, 3);
    problem.output.form = dice.pick<Distribution::Form>(
        {Distribution::free, Distribution::same, Distribution::brick});
    const int ranks = static_cast<int>(dice.pick<std::int64_t>({16, 100, 128, 256}));
    const Problem valid = validated(problem);
    const Planned planned =
        plan_strategy(valid, CostPredictor::here({ranks, {}, 1 << 20}), choices());
    EXPECT_NO_THROW(route_of(planned.strategy, valid, ranks)) << "seed " << seed;
    EXPECT_EQ(parse_strategy(to_string(planned.strategy)), planned.strategy) << "seed " << seed;
  }
}

TEST(Route, refuses_strategies_that_do_not_solve_the_problem) {
  const Problem problem = validated(of({8, 8, 8}, Kind::r2c));
  const auto reason = [&](const char* text) -> std::string {
    try {
      route_of(parse_strategy(text), problem, 2);
    } catch (const Error& error) {
      return error.message().substr(error.message().rfind(": ") + 2);
    }
    return "none";
  };
  EXPECT_EQ(reason("fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0"), "none");
  EXPECT_EQ(reason("fftw | from 2x1x1 | fft 2,1"), "it transforms axes 1,2, not 0,1,2");
  EXPECT_EQ(reason("fftw | from 2x1x1 | fft 1"), "axis 1 is transformed before the real axis 2");
  EXPECT_EQ(reason("fftw | from 2x1x1 | fft 2,0"), "axis 0 is divided where it is transformed");
  EXPECT_EQ(reason("fftw | from 2x1x1 | fft 2,2"), "axis 2 is transformed twice");
  EXPECT_EQ(reason("fftw | from 2x1 | fft 2"), "2x1 has 2 axes, but the grid 8x8x8 has 3");
  EXPECT_EQ(reason("fftw | from 3x1x1 | fft 2"), "3x1x1 has more pieces than there are ranks");
}
