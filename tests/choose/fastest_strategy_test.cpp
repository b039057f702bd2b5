// choose/ranking: the strategies of plans can run, are proven, and keep to what is asked.

#include "weft/choose/ranking.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "weft/choose/chosen_strategy.hpp"
#include "weft/machine/machine_model.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/making/maker.hpp"
#include "weft/planning/chunks.hpp"
#include "weft/planning/cost.hpp"
#include "weft/proof/check.hpp"

namespace weft {
namespace {

// Nodes with as many ranks each; a rank walks over 5 GB/s.
Machine machine_with(int nodes, int ranks_of_node, double node_bytes_per_second,
                     double message_seconds) {
  Machine machine;
  machine.ranks = nodes * ranks_of_node;
  machine.speeds = {5e9, node_bytes_per_second, message_seconds};
  for (int rank = 0; rank < machine.ranks; ++rank)
    machine.node_of_rank.push_back(rank / ranks_of_node);
  machine.threads_of_rank.assign(static_cast<std::size_t>(machine.ranks), 1);
  return machine;
}

Problem cube(std::int64_t side, Kind kind = Kind::c2c) {
  Problem problem;
  problem.extents = {side, side, side};
  problem.kind = kind;
  return validated(problem);
}

Strategy fastest(const Problem& problem, const Machine& machine, const Options& options = {}) {
  return fastest_strategy(problem, CostPredictor::here(machine), options);
}

double seconds_of(const Strategy& strategy, const Problem& problem, const Machine& machine) {
  return CostPredictor::here(machine).cost(strategy, problem, exchange_kinds()).seconds();
}

// Slabs of 64^3 have messages of 64 KiB, a part of which takes 20 us as the whole does.
const Machine sixteen = machine_with(16, 1, 1e9, 20e-6);

void expect_proven(const Strategy& strategy, const Problem& problem, const Machine& machine) {
  const Blueprint blueprint = Blueprint::of(problem, strategy, machine);
  EXPECT_NO_THROW(check_ends(blueprint));
  ProgramSet set;
  set.forward = make_programs(blueprint, true);
  set.backward = make_programs(blueprint, false);
  set.node_of_rank = machine.node_of_rank;
  EXPECT_TRUE(check(set).empty()) << to_string(strategy);
}

// Predictions are no more certain than a few percent: within these, the simplest is taken.
TEST(FastestStrategy, is_predicted_to_be_among_the_fastest) {
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const std::int64_t side : {24, 64, 100})
      for (const int nodes : {2, 3, 6, 16})
        for (const int ranks : {1, 2}) {
          const Machine machine = machine_with(nodes, ranks, 1e9, 20e-6);
          const Problem problem = cube(side, kind);
          const Strategy chosen = fastest(problem, machine);
          const auto ranked = ranked_strategies(problem, CostPredictor::here(machine), {});
          EXPECT_LE(seconds_of(chosen, problem, machine), 1.05 * ranked.front().cost.seconds())
              << to_string(chosen);
          expect_proven(chosen, problem, machine);
        }
}

std::set<std::string> exchanges_of(const Strategy& strategy) {
  std::set<std::string> names;
  for (const Stage& stage : strategy.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage)) names.insert(exchange->exchange);
  return names;
}

// Both the planner and the ranking, which lists strategies of its own.
TEST(FastestStrategy, takes_the_exchange_between_nodes_where_cores_move_the_bytes) {
  using Names = std::set<std::string>;
  const auto expect = [&](const Machine& machine, const Names& names) {
    for (const std::int64_t side : {24, 64, 100})
      for (const Strategy& strategy :
           {planned_strategy(cube(side), CostPredictor::here(machine), {}),
            fastest(cube(side), machine)})
        EXPECT_EQ(exchanges_of(strategy), names) << to_string(strategy);
  };
  for (const int nodes : {2, 6, 16}) {
    Machine machine = machine_with(nodes, 1, 1e9, 20e-6);
    expect(machine, Names{"p2p"});
    machine.speeds.message_seconds_per_byte = 0.01e-9;
    expect(machine, Names{"p2p"});
    machine.speeds.message_seconds_per_byte = 0.3e-9;
    expect(machine, Names{"node"});
    machine.why_not_shared = "they are pretended";
    expect(machine, Names{"p2p"});
  }
}

// Flat grids among them, of which tiles of the right two axes fit the cache of a core.
TEST(FastestStrategy, on_one_node_is_the_planners_and_nothing_that_is_ranked_is_faster) {
  for (const int ranks : {1, 2, 4}) {
    Machine machine = machine_with(1, ranks, 1e9, 1e-6);
    machine.cache_bytes = 1 << 20;
    machine.shared_cache_bytes = (32 << 20) / ranks;
    machine.speeds = {24e9, 0, 0, 24e9, 1.5e-9};
    for (const Dims& extents : {Dims{64, 512, 1024}, Dims{32, 1024, 1024}, Dims{32, 512, 512},
                                Dims{256, 256, 256}, Dims{2048, 2048}, Dims{64, 64, 64, 64}}) {
      Problem problem;
      problem.extents = extents;
      problem = validated(problem);
      const CostPredictor predictor = CostPredictor::here(machine);
      const Strategy chosen = fastest(problem, machine);
      EXPECT_EQ(chosen, planned_strategy(problem, predictor, {}));
      EXPECT_LE(seconds_of(chosen, problem, machine),
                (1 + 1e-6) * ranked_strategies(problem, predictor, {}).front().cost.seconds())
          << to_string(chosen);
      if (ranks == 2) expect_proven(chosen, problem, machine);
    }
  }
}

// Of 32 planes of 512x512 points, a tile of a row and the first axis fits the cache of a core.
TEST(FastestStrategy, of_flat_grids_has_tiles_that_fit_the_cache_of_a_core) {
  Machine machine = machine_with(1, 1, 1e9, 1e-6);
  machine.shared_cache_bytes = 32 << 20;
  machine.speeds = {};
  Problem problem;
  problem.extents = {32, 512, 512};
  EXPECT_THAT(to_string(fastest(validated(problem), machine)),
              testing::EndsWith("from 1x1x1 | fft 2,0 | fft 1"));
}

TEST(FastestStrategy, knows_that_ranks_which_handle_bytes_hide_nothing) {
  const auto hidden = [](double seconds_per_byte) {
    Machine machine = machine_with(2, 1, 1e9, 1e-6);
    machine.speeds.message_seconds_per_byte = seconds_per_byte;
    const Problem problem = cube(128);
    const Strategy strategy =
        parse_strategy("weft | from 2x1x1 | fft 2,1 | p2p to 1x2x1 in 16 | fft 0");
    return CostPredictor::here(machine).cost(strategy, problem, exchange_kinds()).hidden;
  };
  // Sent and received together at 1 GB/s each.
  EXPECT_GT(hidden(0), 5e-3);
  EXPECT_LT(hidden(0.5e-9), 1e-3);
}

// A message takes 40 us, and 10 of a rank's time, which is 10 kB of its link.
TEST(FastestStrategy, cuts_chunks_as_plans_do_otherwise) {
  Machine machine = machine_with(8, 1, 1e9, 40e-6);
  machine.speeds.message_overhead_seconds = 10e-6;
  const CostPredictor predictor = CostPredictor::here(machine);
  const Strategy strategy = parse_strategy("weft | from 8x1x1 | fft 2,1 | p2p to 1x8x1 | fft 0");
  const Problem problem = cube(192);
  const Strategy chunks = chunked(strategy, problem, predictor, {"p2p"}, 0);
  // The root of 1769472 bytes by 10000.
  EXPECT_EQ(to_string(chunks), "weft | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 13 | fft 0");
  // As for a described machine with the same speeds.
  EXPECT_EQ(chunked(strategy, problem, CostPredictor(predictor.machine(), 8), {"p2p"}, 0), chunks);
  // A message of no size takes what was measured: its sender, two links, and its receiver.
  EXPECT_DOUBLE_EQ(2 * predictor.machine().message_seconds +
                       2 * std::get<Crossbar>(predictor.machine().network).link.latency_seconds,
                   40e-6);
}

TEST(FastestStrategy, keeps_to_what_is_asked_for) {
  const Problem problem = cube(64);
  Options options;
  options.exchange = "alltoallv";
  EXPECT_THAT(
      to_string(fastest(problem, sixteen, options)),
      testing::AllOf(testing::HasSubstr("alltoallv"), testing::Not(testing::HasSubstr("p2p"))));
  options.decomposition = Distribution::slab;
  EXPECT_THAT(to_string(fastest(problem, sixteen, options)), testing::HasSubstr("from 16x1x1"));
  options = {};
  options.chunks = 3;
  EXPECT_THAT(to_string(fastest(problem, sixteen, options)), testing::HasSubstr("in 3"));
  options = {};
  options.grid = {2, 8};  // along any axes, at all stages
  EXPECT_THAT(to_string(fastest(problem, sixteen, options)),
              testing::AllOf(testing::ContainsRegex("from (2x8x1|8x2x1|1x2x8|8x1x2|2x1x8|1x8x2) "),
                             testing::Not(testing::ContainsRegex("(16|4)x|x(16|4)"))));
  options = {};
  options.strategy = "fftw | from 16x1x1 | fft 2,1 | p2p to 1x16x1 | fft 0";
  EXPECT_EQ(to_string(fastest(problem, sixteen, options)), options.strategy);
}

}  // namespace
}  // namespace weft
