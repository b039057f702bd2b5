// plan/predicted_choice: asks the ranking, on a model of this machine.

#include "weft/plan/predicted_choice.hpp"

#include "weft/base/error.hpp"
#include "weft/model/machine_model.hpp"
#include "weft/plan/ranking.hpp"
#include "weft/program/blueprint.hpp"

namespace weft {

namespace {

// A choice: a ranking for 4096 ranks takes most of a second.
constexpr int most_ranks_predicted = 4096;
// A choice: predictions are less certain than that (docs/machines.md).
constexpr double least_predicted_gain = 0.05;

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
  if (!machine.speeds.are_known() || !options.strategy.empty() || problem.input.is_of_parts() ||
      machine.ranks > most_ranks_predicted)
    return counted;
  const CostPredictor predictor(model_like(machine), machine.ranks, machine.threads(0));
  Machine like = predictor.ranks();
  like.speeds = machine.speeds;
  if (like != machine) return counted;
  const double most =
      predictor.cost(counted, problem, exchange_kinds()).seconds() / (1 + least_predicted_gain);
  for (const Ranked& each : ranked_strategies(problem, predictor, options)) {
    if (each.cost.seconds() > most) break;
    if (can_end(each.strategy, problem, machine)) return each.strategy;
  }
  return counted;
}

}  // namespace weft
