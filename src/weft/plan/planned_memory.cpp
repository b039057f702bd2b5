// plan/planned_memory: adds up.

#include "weft/plan/planned_memory.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/program/size.hpp"

namespace weft {

namespace {

// What stand-ins take for the arrays that other ranks of the node work on.
std::int64_t stand_in_bytes(const BoundPrograms::Spec& spec, const MemoryUse& arrays,
                            bool in_place) {
  const auto& [forward, backward] = spec.programs;
  // c2r runs the programs of r2c the other way round.
  const bool real = forward.shares_source || backward.shares_target;
  const bool spectral = forward.shares_target || backward.shares_source;
  const bool input = spec.is_c2r ? spectral : real, output = spec.is_c2r ? real : spectral;
  return (input || (in_place && output) ? arrays.input : 0) +
         (output && !in_place ? arrays.output : 0);
}

}  // namespace

void plan_memory(PlanParts& parts, const BoundPrograms::Spec& spec) {
  const int in_flight = parts.options.in_flight;
  MemoryUse& planned = parts.planned;
  const auto& [forward, backward] = spec.programs;
  planned.buffers = in_flight * std::max(forward.workspace_bytes, backward.workspace_bytes);
  if (!parts.device && !parts.through)
    planned.tiles = bounded_product(std::int64_t{in_flight} * spec.threads,
                                    tile_bytes(forward) + tile_bytes(backward));
  planned.programs = in_flight * (bound_bytes(forward) + bound_bytes(backward));
  if (parts.node_ranks > 1)
    planned.stand_ins = in_flight * stand_in_bytes(spec, planned, parts.problem.in_place);
}

MemoryDemand memory_demand(const PlanParts& parts) {
  if (parts.device) return MemoryDemand();
  MemoryUse required = parts.planned;
  const Problem& problem = parts.problem;
  if (problem.input.has_arrays())
    required.input = std::min(required.input, stored_bytes(parts.input));
  if (problem.output.has_arrays() && !problem.in_place)
    required.output = std::min(required.output, stored_bytes(parts.output));
  required.stand_ins = 0;
  return MemoryDemand(required, memory_capacity());
}

bool exceeds_device(const PlanParts& parts, std::int64_t device_bytes) {
  if (!parts.device) return false;
  const MemoryUse& planned = parts.planned;
  const std::int64_t all =
      parts.options.in_flight * (planned.input + planned.output) + planned.buffers;
  return all > device_bytes || planned.buffers > parts.device_bytes;
}

}  // namespace weft
