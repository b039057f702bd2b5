// choose/rehearsal: candidates, their plans, and the choice among them.

#include "weft/choose/rehearsal.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/making/maker.hpp"
#include "weft/planning/other_walks.hpp"

namespace weft {

namespace {

// Stores are rehearsed with from a fourth of a rank's part of the shared caches up to eight parts.
// Choices: on processors with 32 MiB for two cores, 64^3 and smaller grids are faster with stores
// to the caches, and 200^3 and larger ones without, by a tenth or more in each case.
constexpr std::int64_t least_part = 4, most_parts = 8;
// With more passes than this, not every combination is tried.
constexpr std::size_t most_combined = 2;

bool transforms(const Stage& stage) {
  const auto* pass = std::get_if<PassStage>(&stage);
  return pass != nullptr && !pass->axes.empty();
}

std::vector<std::size_t> passes_of(const Strategy& strategy) {
  std::vector<std::size_t> passes;
  for (std::size_t s = 0; s < strategy.stages.size(); ++s)
    if (transforms(strategy.stages[s])) passes.push_back(s);
  return passes;
}

// Whether each of the passes stores past the caches by rule, on `rank`.
std::vector<bool> streams_by_rule(const Blueprint& blueprint, int rank) {
  const auto passes = passes_of(blueprint.strategy);
  std::vector<bool> streams(passes.size());
  for (const SweepProgram& sweep : make_program(blueprint, true, rank).sweeps)
    for (const PassProgram& pass : sweep.passes)
      for (std::size_t p = 0; p < passes.size(); ++p)
        if (pass.spec.stage == static_cast<int>(passes[p])) streams[p] = pass.spec.streaming;
  return streams;
}

Strategy with_stores(Strategy strategy, const std::vector<bool>& streams) {
  const auto passes = passes_of(strategy);
  for (std::size_t p = 0; p < passes.size(); ++p)
    std::get<PassStage>(strategy.stages[passes[p]]).choice.streams = streams[p];
  return strategy;
}

// The strategies whose stores differ from the rule: every combination where there are few passes;
// where there are more, all passes alike, and one pass different from the others.
std::vector<Strategy> other_stores(const Blueprint& blueprint) {
  const std::vector<bool> by_rule = streams_by_rule(blueprint, 0);
  const std::size_t passes = by_rule.size();
  std::vector<std::vector<bool>> all;
  const auto add = [&](const std::vector<bool>& one) {
    if (one != by_rule && std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  for (const bool yes : {false, true}) add(std::vector<bool>(passes, yes));
  for (std::size_t p = 0; p < passes; ++p) {
    std::vector<bool> one = by_rule;
    one[p] = !one[p];
    add(one);
  }
  if (passes <= most_combined)
    for (std::size_t number = 0; number < std::size_t{1} << passes; ++number) {
      std::vector<bool> one(passes);
      for (std::size_t p = 0; p < passes; ++p) one[p] = (number >> p & 1) != 0;
      add(one);
    }
  std::vector<Strategy> others;
  others.reserve(all.size());
  for (const auto& one : all) others.push_back(with_stores(blueprint.strategy, one));
  return others;
}

// The strategies with fewer or more passes, or other axes in each, that the machine can run.
std::vector<Strategy> other_walks(const Blueprint& blueprint) {
  std::vector<Strategy> others = with_other_walks(blueprint.strategy);
  std::erase_if(others, [&](const Strategy& other) {
    try {
      check_ends(Blueprint::of(blueprint.problem, other, blueprint.machine));
      return false;
    } catch (const Error& error) {
      if (error.code() == Error::bug) throw;
      return true;
    }
  });
  return others;
}

// The strategy of the blueprint, first, and the others, of rank 0: other ranks may have so much
// less that their rules differ. Collective.
std::vector<std::string> agreed_candidates(const Communicator& comm, const Blueprint& blueprint,
                                           const std::vector<Strategy>& others) {
  const std::string mine = agree(comm, [&] {
    std::string texts = to_string(blueprint.strategy);
    for (const Strategy& other : others) texts += "\n" + to_string(other);
    return texts;
  });
  const std::string texts = comm.broadcast(mine, 0);
  return agree(comm, [&] {
    std::istringstream lines(texts);
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    return all;
  });
}

// What a run there and one back take by prediction, at most an hour; 0 where nothing is predicted.
double predicted_seconds(const Blueprint& blueprint) {
  constexpr double most = 3600;
  if (!blueprint.machine.speeds.are_known()) return 0;
  const auto cost = CostPredictor::here(blueprint.machine)
                        .cost(blueprint.strategy, blueprint.problem, exchange_kinds());
  return std::min(most, 2 * cost.seconds());
}

// The strategy that is kept, and what is told of all that ran.
MeasuredStrategy chosen(const Race& race, std::size_t peers) {
  const Contender& best = race.kept(peers);
  MeasuredStrategy measured{parse_strategy(best.options.strategy), {}};
  for (const Contender& one : race.all()) {
    if (!one.times.is_told()) continue;
    measured.tried += fmt::format("  {:>9.3f} ms  {}{}\n", 1e3 * one.seconds(),
                                  one.options.strategy, &one == &best ? "  (kept)" : "");
    ++measured.candidates;
  }
  return measured;
}

}  // namespace

bool Rehearsal::tells_stores(const Machine& machine) const {
  const std::int64_t cache = machine.shared_cache_bytes;
  return setting_.array_bytes * least_part >= cache && setting_.array_bytes <= most_parts * cache;
}

bool Rehearsal::tells_walks(const Machine& machine) const {
  return setting_.array_bytes / std::max<std::int64_t>(1, setting_.problem.batch) <=
         machine.shared_cache_bytes;
}

MeasuredStrategy Rehearsal::of_stores(const Blueprint& blueprint, const Strategy& by_rule,
                                      double seconds) const {
  const bool has_peer = by_rule != blueprint.strategy;
  const auto others = agree(*setting_.comm, [&] {
    std::vector<Strategy> all = other_stores(blueprint);
    if (has_peer) all.insert(all.begin(), by_rule);
    return all;
  });
  return raced(blueprint, others, has_peer ? 2 : 1, seconds);
}

MeasuredStrategy Rehearsal::of_walks(const Blueprint& blueprint, double seconds) const {
  return raced(blueprint, agree(*setting_.comm, [&] { return other_walks(blueprint); }), 1,
               seconds);
}

MeasuredStrategy Rehearsal::of_library(const Blueprint& blueprint,
                                       const std::vector<Strategy>& whole, double seconds) const {
  return raced(blueprint, whole, 1, seconds);
}

MeasuredStrategy Rehearsal::raced(const Blueprint& blueprint, const std::vector<Strategy>& others,
                                  std::size_t peers, double seconds) const {
  const auto strategies = agreed_candidates(*setting_.comm, blueprint, others);
  const auto by_rule = [&] {
    return agree(*setting_.comm, [&] { return MeasuredStrategy{blueprint.strategy, {}}; });
  };
  if (is_too_busy_for_a_race(*setting_.comm) || strategies.size() < 2) return by_rule();
  // Where even half of what is predicted leaves no time, not even one run is made: between hosts
  // with a slow network it may take seconds.
  const auto [halves] = agree_on_largest(*setting_.comm, [&] {
    return std::array{static_cast<std::int64_t>(1e9 * predicted_seconds(blueprint) / 2)};
  });
  if (!Race::has_time(1e-9 * static_cast<double>(halves), Race::fewest_plans, seconds))
    return by_rule();
  try {
    const std::vector<Options> all = agree(*setting_.comm, [&] {
      std::vector<Options> demands;
      demands.reserve(strategies.size());
      for (const std::string& strategy : strategies) {
        demands.push_back(demanding(strategy, setting_.options));
        demands.back().progress = setting_.options.progress == Progress::automatic
                                      ? Progress::by_tiles
                                      : setting_.options.progress;
      }
      return demands;
    });
    Race race(
        setting_.comm, setting_.make,
        agree(*setting_.comm, [&] { return with_columns_of(blueprint.problem, setting_.problem); }),
        all, setting_.array_bytes);
    race.run(seconds);
    return agree(*setting_.comm, [&] { return chosen(race, peers); });
  } catch (const Error& error) {
    // Of libraries that have no such transform, too.
    if (error.code() != Error::system && error.code() != Error::unsupported) throw;
    return by_rule();
  }
}

}  // namespace weft
