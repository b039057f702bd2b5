// planning/planner: searches without a split axis, and with one where that may be faster.

#include "weft/planning/planner.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "weft/planning/constants.hpp"
#include "weft/planning/split_candidates.hpp"
#include "weft/planning/strategy_search.hpp"
#include "weft/problem/distribution.hpp"

namespace weft {

namespace {

void check_choices(const Problem& problem, const Machine& machine, const Choices& choices) {
  const Placement& placement = choices.placement;
  if (!choices.grid.empty())
    check_grid(choices.grid, placement.pieces_among(machine.ranks),
               placement.is_given() ? "piece" : "rank");
  if (divided_axes(choices.grid) >= std::max(2, problem.extents.size()) &&
      choices.form != Distribution::brick)
    throw Error(Error::invalid,
                fmt::format("the grid {} divides {} axes of {}, but one axis must stay undivided",
                            to_string(choices.grid), divided_axes(choices.grid),
                            to_string(problem.extents)),
                "give a grid with fewer axes, or with 1 along an axis");
}

}  // namespace

Planned plan_strategy(const Problem& problem, const CostPredictor& predictor,
                      const Choices& choices) {
  const Machine& machine = predictor.ranks();
  check_choices(problem, machine, choices);
  const StrategySearch search(problem, predictor, choices, std::nullopt);
  // Where ranks would be idle because too few axes can be divided, or where lines exceed a cache,
  // an axis may be split in two.
  const SplitCandidates splits = split_candidates(problem, machine);
  std::optional<Planned> best;
  if (!splits.is_needed) best = search.best();
  if (!best || splits.is_long ||
      search.imbalance(best->strategy) > constants::least_imbalance_for_split)
    for (const AxisSplit& way : splits.ways) {
      const StrategySearch split(problem, predictor, choices, way);
      if (auto found = split.best(); found && (!best || found->seconds < best->seconds))
        best = std::move(found);
    }
  if (!best)
    throw Error(Error::invalid,
                fmt::format("no strategy with stages of the form '{}' transforms {} over {} ranks",
                            to_string(choices.form), to_string(problem.extents), machine.ranks),
                "let the planner choose the decomposition");
  return *best;
}

}  // namespace weft
