// plan/predicted_choice: asks the ranking, on a model of this machine.

#include "weft/plan/predicted_choice.hpp"

#include <optional>

#include "weft/base/error.hpp"
#include "weft/plan/predictor_here.hpp"
#include "weft/plan/ranking.hpp"
#include "weft/program/blueprint.hpp"

namespace weft {

namespace {

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
  // On one node the count decides. Predictions may know better: of 64x512x1024 on one rank, they
  // prefer fft 1 | fft 2,0, which takes 0.58 of the time of the planner's fft 2 | fft 1,0.
  if (machine.nodes() < 2 || !options.strategy.empty()) return counted;
  const std::optional<CostPredictor> predictor = predictor_here(machine, problem);
  if (!predictor) return counted;
  const double most =
      predictor->cost(counted, problem, exchange_kinds()).seconds() / (1 + least_predicted_gain);
  for (const Ranked& each : ranked_strategies(problem, *predictor, options)) {
    if (each.cost.seconds() > most) break;
    if (can_end(each.strategy, problem, machine)) return each.strategy;
  }
  return counted;
}

}  // namespace weft
