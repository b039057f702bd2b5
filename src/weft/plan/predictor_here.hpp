// plan/predictor_here: predictions for the machine of a plan.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <optional>

#include "weft/machine/machine.hpp"
#include "weft/planning/cost.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// What predicts times on `machine`, by its speeds. Nothing where there are no predictions: where
/// speeds were not measured, the nodes are not equal or have the ranks in another order than one
/// node after the other, ranks of a node cannot share memory, Pretend::eager_message_bytes is
/// another one, for parts that users give, and for more than 4096 ranks.
std::optional<CostPredictor> predictor_here(const Machine& machine, const Problem& problem);

}  // namespace weft
