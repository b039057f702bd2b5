// tune/measure_pass_overlap: how much of its transforms a pass does while it walks over memory.
#pragma once

#include <optional>

#include "weft/comm/communicator.hpp"
#include "weft/tune/machine_measurement.hpp"

namespace weft {

/// The overlap with which the cost model predicts the passes of a cube that is larger than the
/// caches, as they are measured: on each node on its own, in turn with walks over memory, so that
/// what else uses the memory meets both; the least of all nodes, or an overlap of 0 for a kind of
/// pass that the cube's plan does not have. `found` has the job, memory and the engines. None where
/// that cube and the walks need more memory than JobFacts::spare_bytes. Takes about `seconds`, and
/// the time of making a plan. Collective; errors as of PlanBody.
std::optional<PassOverlap> measure_pass_overlap(const Communicator& comm,
                                                const MachineMeasurement& found,
                                                const Options& options, double seconds);

}  // namespace weft
