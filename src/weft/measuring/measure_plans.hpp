// measuring/measure_plans: the passes of a transform, and how much of its exchanges hides behind
// them.
#pragma once

#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// The passes of a forward transform of `points`^3 complex doubles by a plan with `options`, over
/// a node of the job; those that share a sweep are one. Collective; errors as of PlanBody.
PassMeasurement measure_passes(const Communicator& comm, std::int64_t points,
                               const Options& options, const TimeLimit& limit);

/// For each choice of Progress that MPI allows: of the time during which messages of a transform of
/// `points`^3 complex doubles in 4 chunks are under way between all ranks, the part during which
/// ranks compute. None for one rank, nor when there is no time. Collective; errors as of PlanBody.
std::vector<OverlapSpeed> measure_overlap(const Communicator& comm, std::int64_t points,
                                          const Options& options, const TimeLimit& limit);

}  // namespace weft
