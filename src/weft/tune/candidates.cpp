// tune/candidates: asks the ranking for every exchange, and changes what strategies leave open.

#include "weft/tune/candidates.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/fft/engine.hpp"
#include "weft/model/machine_model.hpp"
#include "weft/plan/ranking.hpp"
#include "weft/program/blueprint.hpp"
#include "weft/program/exchange_table.hpp"

namespace weft {

namespace {

bool can_run(const Strategy& strategy, const Problem& problem, const Machine& machine) {
  try {
    require_runnable(strategy, problem, machine);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Those of one exchange, the fastest first; none if no strategy has it.
std::vector<Ranked> ranked_with(const std::string& exchange, const Problem& problem,
                                const CostPredictor& predictor, Options options) {
  options.exchange = exchange;
  try {
    return ranked_strategies(problem, predictor, options);
  } catch (const Error&) {
    return {};
  }
}

std::vector<std::string> exchanges_for(const Problem& problem, const Machine& machine,
                                       const Options& options) {
  if (!options.exchange.empty()) return {options.exchange};
  std::vector<std::string> names;
  for (const ExchangeEntry& entry : exchanges())
    if (!entry.applies(problem, machine)) names.push_back(entry.name);
  return names;
}

}  // namespace

std::vector<Strategy> promising_strategies(const Problem& problem, const Machine& machine,
                                           const Options& options, int most) {
  constexpr std::size_t of_each_exchange = 2;
  const CostPredictor predictor(model_like(machine), machine.ranks, machine.threads(0));
  std::vector<Ranked> first, rest;
  for (const std::string& exchange : exchanges_for(problem, machine, options)) {
    std::size_t taken = 0;
    for (Ranked& each : ranked_with(exchange, problem, predictor, options))
      if (can_run(each.strategy, problem, machine))
        (taken++ < of_each_exchange ? first : rest).push_back(std::move(each));
  }
  const auto by_time = [](const Ranked& a, const Ranked& b) {
    return a.cost.seconds() < b.cost.seconds();
  };
  std::stable_sort(first.begin(), first.end(), by_time);
  std::stable_sort(rest.begin(), rest.end(), by_time);
  std::vector<Strategy> chosen;
  for (const auto* group : {&first, &rest})
    for (const Ranked& each : *group)
      if (static_cast<int>(chosen.size()) < most &&
          std::find(chosen.begin(), chosen.end(), each.strategy) == chosen.end())
        chosen.push_back(each.strategy);
  return chosen;
}

void require_runnable(const Strategy& strategy, const Problem& problem, const Machine& machine) {
  find_engine(strategy.engine);
  check_ends(Blueprint::of(problem, strategy, machine));
}

Strategy without_choices(Strategy strategy) {
  for (Stage& stage : strategy.stages)
    if (auto* pass = std::get_if<PassStage>(&stage)) pass->choice = {};
  return strategy;
}

std::vector<Strategy> in_other_chunks(const Strategy& strategy, const Options& options) {
  if (options.chunks != 0) return {};
  std::vector<Strategy> all;
  for (const int chunks : {1, 2, 4, 8, 16}) {
    Strategy other = strategy;
    for (std::size_t i = 1; i + 1 < other.stages.size(); ++i) {
      auto* exchange = std::get_if<ExchangeStage>(&other.stages[i]);
      if (exchange == nullptr || !std::holds_alternative<PassStage>(other.stages[i - 1]) ||
          !std::holds_alternative<PassStage>(other.stages[i + 1]))
        continue;
      for (const ExchangeEntry& entry : exchanges())
        if (entry.name == exchange->exchange && entry.cuts) exchange->chunks = chunks;
    }
    if (other != strategy) all.push_back(std::move(other));
  }
  return all;
}

std::vector<Strategy> with_other_stores(const Strategy& strategy) {
  std::vector<Strategy> all;
  for (const bool streams : {false, true}) {
    Strategy other = strategy;
    for (Stage& stage : other.stages)
      if (auto* pass = std::get_if<PassStage>(&stage); pass != nullptr && !pass->axes.empty())
        pass->choice.streams = streams;
    if (other != strategy) all.push_back(std::move(other));
  }
  return all;
}

}  // namespace weft
