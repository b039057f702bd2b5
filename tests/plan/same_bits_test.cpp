// plan/same_bits: what the last bits of results depend on is the same with every exchange and any
// number of threads, for random problems. No MPI: programs are values.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "support/random_problem.hpp"
#include "support/random_strategy.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/making/maker.hpp"

using namespace weft;
using namespace weft::test;

namespace {

Machine machine_of(const RandomCase& random, int threads) {
  Machine machine;
  machine.ranks = random.ranks;
  machine.node_of_rank.assign(static_cast<std::size_t>(random.ranks), 0);
  machine.cache_bytes = 4096;
  machine.shared_cache_bytes = 4096;
  machine.threads_of_rank.assign(static_cast<std::size_t>(random.ranks), threads);
  return machine;
}

Strategy with_exchange(Strategy strategy, const std::string& name) {
  for (Stage& stage : strategy.stages)
    if (auto* exchange = std::get_if<ExchangeStage>(&stage)) exchange->exchange = name;
  return strategy;
}

// What is chosen for a pass that transforms anything. Tiles may differ in size, as most lines are
// transformed alike in tiles of any size (fft/lanes/lanes has the exceptions).
struct Chosen {
  int run_axis;
  bool columns_go_out_by_groups;
  std::optional<bool> keeps_columns;
  std::vector<std::string> engines;
  double factor;
  friend bool operator==(const Chosen&, const Chosen&) = default;
};

// By rank and number in the strategy.
using ChosenPasses = std::map<std::pair<std::size_t, int>, Chosen>;

ChosenPasses passes_of(const std::vector<Program>& programs) {
  ChosenPasses found;
  for (std::size_t rank = 0; rank < programs.size(); ++rank)
    for (const SweepProgram& sweep : programs[rank].sweeps)
      for (const PassProgram& pass : sweep.passes) {
        const PassSpec& spec = pass.spec;
        if (!spec.axes.empty())
          found[{rank, spec.stage}] = {spec.limits.run_axis, spec.columns_go_out_by_groups,
                                       spec.keeps_columns, spec.engines, spec.factor};
      }
  return found;
}

}  // namespace

TEST(SameBits, whatever_the_exchange_and_the_threads) {
  int compared = 0, whole = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomCase random = random_case(seed, 6);
    random.options.exchange = "alltoallw";
    random.options.pretend.node_sizes.clear();
    const Problem problem = problem_of(random);
    for (const bool forward : {true, false}) {
      const auto passes_with = [&](const std::string& exchange, int threads) {
        const Machine machine = machine_of(random, threads);
        const Strategy strategy =
            fastest_strategy(problem, CostPredictor::here(machine_of(random, 1)), random.options);
        const auto blueprint = Blueprint::of(problem, with_exchange(strategy, exchange), machine);
        check_ends(blueprint);
        return passes_of(make_programs(blueprint, forward));
      };
      ChosenPasses expected;
      try {
        expected = passes_with("alltoallw", 1);
      } catch (const Error&) {
        continue;  // no answer is asked for
      }
      for (const auto& [place, pass] : expected) whole += pass.columns_go_out_by_groups ? 0 : 1;
      for (const char* exchange : {"alltoallw", "alltoallv", "p2p", "shared", "node"})
        for (const int threads : {1, 3}) {
          try {
            EXPECT_TRUE(passes_with(exchange, threads) == expected)
                << "seed " << seed << ", " << exchange << ", " << threads << " threads";
            ++compared;
          } catch (const Error& error) {
            EXPECT_NE(error.code(), Error::bug) << error.message();
            continue;  // this exchange cannot do it
          }
        }
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(whole, 100);
}
