// choose/candidates: asks the ranking for every exchange, and changes what strategies leave open.

#include "weft/choose/candidates.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/fft/engine.hpp"
#include "weft/grid/redistribution.hpp"
#include "weft/machine/machine_model.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/making/node_exchange.hpp"

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

const ExchangeEntry* row_of(const Stage& stage) {
  const auto* const exchange = std::get_if<ExchangeStage>(&stage);
  if (exchange == nullptr) return nullptr;
  for (const ExchangeEntry& entry : exchanges())
    if (entry.name == exchange->exchange) return &entry;
  return nullptr;
}

// The bytes of the segments that the node with the first points sends and receives, one after
// another, in the exchanges that share memory within nodes, or only in those among them that are
// cut.
std::vector<std::int64_t> segments_of(const Blueprint& blueprint, bool only_cut) {
  std::vector<std::int64_t> bytes;
  const Route& route = blueprint.route;
  const Machine& machine = blueprint.machine;
  unsigned done = 0;
  for (std::size_t i = 0; i < blueprint.strategy.stages.size(); ++i) {
    const Stage& stage = blueprint.strategy.stages[i];
    if (const auto* pass = std::get_if<PassStage>(&stage)) done |= FieldStates::set_of(pass->axes);
    const ExchangeEntry* const row = row_of(stage);
    if (row == nullptr || !row->shares_memory) continue;
    const Cutting& cutting = blueprint.cuttings[i];
    if (only_cut && cutting.cells() == 1) continue;
    const std::int64_t element = route.states.scalar(done).bytes();
    const int node = machine.node(route.before[i].holder(0));
    const NodeTraffic traffic(Redistribution(route.before[i], route.after[i], cutting), machine,
                              node, least_elements_of_segment(machine, element));
    for (const auto* side : {&traffic.sent, &traffic.received})
      for (const NodeSegment& segment : *side) bytes.push_back(segment.count * element);
  }
  return bytes;
}

}  // namespace

std::vector<Strategy> promising_strategies(const Problem& problem, const Machine& machine,
                                           const Options& options, int most) {
  constexpr std::size_t of_each_exchange = 2;
  const CostPredictor predictor = CostPredictor::here(machine);
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
  known_engine(strategy.engine);
  for (const Stage& stage : strategy.stages) {
    if (const auto* pass = std::get_if<PassStage>(&stage))
      for (const std::string& name : pass->choice.engines) find_engine(name);
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage))
      find_exchange(exchange->exchange, problem, machine);
  }
  check_ends(Blueprint::of(problem, strategy, machine));
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

std::vector<std::int64_t> other_segment_sizes(const Strategy& strategy, const Problem& problem,
                                              const Machine& machine) {
  // From a message of a few packets to one segment for each pair of nodes.
  constexpr std::int64_t sizes[] = {1 << 12, 1 << 14, 1 << 18, 1 << 20, std::int64_t{1} << 40};
  Blueprint blueprint = Blueprint::of(problem, strategy, machine);
  std::vector<std::vector<std::int64_t>> known{segments_of(blueprint, false)};
  std::vector<std::int64_t> others;
  for (const std::int64_t size : sizes) {
    blueprint.machine.segment_bytes = size;
    std::vector<std::int64_t> segments = segments_of(blueprint, false);
    if (std::find(known.begin(), known.end(), segments) != known.end()) continue;
    known.push_back(std::move(segments));
    others.push_back(size);
  }
  return others;
}

std::vector<std::int64_t> other_eager_sizes(const Strategy& strategy, const Problem& problem,
                                            const Machine& machine) {
  constexpr std::int64_t none_is_eager = 1, all_are_eager = std::int64_t{1} << 40;
  const auto segments = segments_of(Blueprint::of(problem, strategy, machine), true);
  const auto is_eager = [&](std::int64_t bytes) { return bytes < machine.eager_message_bytes; };
  std::vector<std::int64_t> others;
  if (std::any_of(segments.begin(), segments.end(), is_eager)) others.push_back(none_is_eager);
  if (!std::all_of(segments.begin(), segments.end(), is_eager)) others.push_back(all_are_eager);
  return others;
}

std::vector<Progress> other_progress(const Strategy& strategy, const Machine& machine,
                                     const Options& options, Progress usual, bool allows_thread) {
  std::vector<Progress> others;
  const bool is_moved =
      std::any_of(strategy.stages.begin(), strategy.stages.end(), [&](const Stage& stage) {
        const ExchangeEntry* const row = row_of(stage);
        return row != nullptr && !(row->shares_memory && machine.nodes() == 1);
      });
  if (machine.ranks == 1 || !is_moved) return others;
  const auto is_possible = [&](Progress progress) {
    if (progress == Progress::by_calls) return options.in_flight == 1;
    return progress != Progress::by_thread || allows_thread;
  };
  for (const Progress each : {Progress::by_calls, Progress::by_tiles, Progress::by_thread})
    if (each != usual && is_possible(each)) others.push_back(each);
  return others;
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
