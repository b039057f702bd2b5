// making/blueprint: derives route, cuttings and array layouts from problem, strategy and machine.

#include "weft/making/blueprint.hpp"

#include <algorithm>

#include "weft/making/exchange_table.hpp"
#include "weft/planning/chunks.hpp"
#include "weft/planning/traffic.hpp"

namespace weft {

Blueprint Blueprint::of(const Problem& problem, const Strategy& strategy, const Machine& machine) {
  Blueprint blueprint;
  blueprint.problem = problem;
  blueprint.strategy = strategy;
  blueprint.machine = machine;
  blueprint.route = route_of(strategy, problem, machine.ranks);
  if (problem.cutoff.is_given())
    blueprint.columns = std::make_shared<const Columns>(problem, machine.ranks);
  blueprint.cuttings = cuttings_of(strategy, blueprint.route);
  // In place, a row of the real array needs room for the complex row that replaces it.
  const int half = half_axis(problem);
  const std::vector<int>& order = problem.input.storage.order;
  const int fastest = order.empty() ? problem.extents.size() - 1 : order.back();
  const bool rows_are_halved = half >= 0 && half == fastest;
  if (problem.in_place && rows_are_halved && blueprint.route.user_input.is_whole(half))
    blueprint.real_row_room =
        std::max(real_extents(problem)[half], 2 * spectral_extents(problem)[half]);
  return blueprint;
}

bool Blueprint::shares_memory() const {
  return std::any_of(strategy.stages.begin(), strategy.stages.end(), [&](const Stage& stage) {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    return exchange != nullptr && find_exchange(exchange->exchange, problem, machine).shares_memory;
  });
}

void check_ends(const Blueprint& blueprint) {
  const auto& stages = blueprint.strategy.stages;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto* stage = std::get_if<ExchangeStage>(&stages[i]);
    if (stage == nullptr || (i > 0 && i + 1 < stages.size())) continue;
    const ExchangeEntry& entry =
        find_exchange(stage->exchange, blueprint.problem, blueprint.machine);
    // Both sides may be in one array, which MPI does not allow for its collectives.
    if (entry.moves_arrays && blueprint.moves_parts())
      throw Error(Error::invalid,
                  fmt::format("{} stands at an end of '{}', which moves parts of an array",
                              stage->exchange, to_string(blueprint.strategy)),
                  "put a `copy` before it and after it");
    const bool meets_waves = i > 0 && blueprint.columns;
    if (entry.moves_arrays && !meets_waves) continue;
    const bool stays =
        busiest_traffic(blueprint.route.before[i], blueprint.route.after[i], blueprint.machine)
            .far_points == 0;
    if (entry.shares_memory && stays && stages.size() > 1 && !meets_waves) continue;
    const char* what = meets_waves                     ? " of waves"
                       : entry.shares_memory && !stays ? " between nodes"
                                                       : "";
    throw Error(Error::invalid,
                fmt::format("{} does not move arrays{}, but stands at an end of '{}'",
                            stage->exchange, what, to_string(blueprint.strategy)),
                meets_waves ? "put a `copy` after it"
                            : "put a `copy` before it or after it, or take alltoallw");
  }
}

}  // namespace weft
