// plan/predictor_here: takes the machine for a cluster of equal nodes, if it is like one.

#include "weft/plan/predictor_here.hpp"

#include "weft/machine/machine_model.hpp"

namespace weft {

std::optional<CostPredictor> predictor_here(const Machine& machine, const Problem& problem) {
  // A choice: a ranking for 4096 ranks takes most of a second.
  constexpr int most_ranks = 4096;
  const bool is_known =
      machine.nodes() > 1 ? machine.speeds.are_links_known() : machine.speeds.are_known();
  if (!is_known || problem.input.is_of_parts() || machine.ranks > most_ranks) return std::nullopt;
  CostPredictor predictor(model_like(machine), machine.ranks, machine.threads(0));
  Machine like = predictor.ranks();
  like.speeds = machine.speeds;
  if (like != machine) return std::nullopt;
  return predictor;
}

}  // namespace weft
