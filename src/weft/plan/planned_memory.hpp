// plan/planned_memory: what a plan will hold on this rank, before any of it is made.
#pragma once

#include <cstdint>

#include "weft/plan/memory_need.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/run/bound_programs.hpp"

namespace weft {

/// Adds to `parts.planned`, which has the arrays, what the slots hold that run `spec`: buffers,
/// tiles, programs and stand-ins.
void plan_memory(PlanParts& parts, const BoundPrograms::Spec& spec);

/// What is planned so far, beside what there is. Of arrays with strides of the user's own only the
/// memory of their points is required, as both sides may be views of one array; stand-ins are not,
/// as arrays of allocate() need none; and nothing is where a device computes: arrays are in memory
/// of any kind then, and what is allocated says what there is.
MemoryDemand memory_demand(const PlanParts& parts);

/// Whether the device of this rank, if it computes, cannot hold its arrays and the workspace, or
/// may not: it may take `device_bytes` in all, and what parts.device_bytes says beside arrays,
/// which may be there already. Every transform in flight may have arrays, or stand-ins, of its own.
bool exceeds_device(const PlanParts& parts, std::int64_t device_bytes);

}  // namespace weft
