// proof/proof: making all programs, and checking them.

#include "weft/proof/proof.hpp"

#include "weft/base/ensure.hpp"
#include "weft/making/maker.hpp"

namespace weft {

ProgramSet programs_of(const Blueprint& blueprint) {
  return {make_programs(blueprint, true), make_programs(blueprint, false),
          blueprint.machine.node_of_rank, blueprint.problem.in_place};
}

void prove(const Blueprint& blueprint) {
  const auto hazards = check(programs_of(blueprint));
  if (hazards.empty()) return;
  throw Error(
      Error::bug,
      fmt::format("'{}' has a hazard: {}", to_string(blueprint.strategy), hazards.front().text),
      "this is a bug in weft; please report the problem and the strategy");
}

}  // namespace weft
