// plan/predicted_choice: asks the ranking, on a model of this machine.

#include "weft/plan/predicted_choice.hpp"

#include <optional>

#include "weft/base/ensure.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/plan/predictor_here.hpp"
#include "weft/plan/ranking.hpp"

namespace weft {

namespace {

// What another strategy must gain by prediction. Choices: predictions are less certain than these
// (docs/machines.md), and within a node the count is close, as all bytes move at one speed.
constexpr double least_gain_between_nodes = 0.05, least_gain_in_a_node = 0.1;

bool can_end(const Strategy& strategy, const Problem& problem, const Machine& machine) {
  try {
    check_ends(Blueprint::of(problem, strategy, machine));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Strategy predicted_choice(const Strategy& counted, const Problem& problem, const Machine& machine,
                          const Options& options) {
  if (!options.strategy.empty()) return counted;
  const std::optional<CostPredictor> predictor = predictor_here(machine, problem);
  if (!predictor) return counted;
  const double least_gain = machine.nodes() > 1 ? least_gain_between_nodes : least_gain_in_a_node;
  const double most =
      predictor->cost(counted, problem, exchange_kinds()).seconds() / (1 + least_gain);
  for (const Ranked& each : ranked_strategies(problem, *predictor, options)) {
    if (each.cost.seconds() > most) break;
    if (can_end(each.strategy, problem, machine)) return each.strategy;
  }
  return counted;
}

}  // namespace weft
