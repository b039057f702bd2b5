// choose/describe_predictions: what a plan is predicted to take here, and what other strategies
// would. Pure: makes no MPI call and no FFT library's.
#pragma once

#include <string>

#include "weft/making/blueprint.hpp"
#include "weft/options.hpp"
#include "weft/planning/cost.hpp"

namespace weft {

/// Lines about the predicted `cost` of the blueprint's strategy: in all, from which speeds, and the
/// best three other strategies that plans with `options` may take, and why these lose, for up to
/// 512 ranks and without a placement of the user's. No line break at the end. Errors: see
/// ranked_strategies.
std::string describe_predictions(const StrategyCost& cost, const Blueprint& blueprint,
                                 const CostPredictor& predictor, const Options& options);

}  // namespace weft
