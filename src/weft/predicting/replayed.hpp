// predicting/replayed: a run of a strategy on a machine that one need not have, event by event.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include "weft/planning/cost.hpp"
#include "weft/replay/replay.hpp"

namespace weft {

/// Replays the forward direction of `strategy` for `problem` (validated; c2c or r2c) on the ranks
/// of `predictor`. `cost` is what it predicts for the strategy: passes take what it says for each
/// of the busiest rank's points. Errors: see Blueprint::of and make_program.
Replay replayed(const Strategy& strategy, const StrategyCost& cost, const Problem& problem,
                const CostPredictor& predictor);

}  // namespace weft
