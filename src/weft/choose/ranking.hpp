// choose/ranking: strategies for a machine that one need not have, by predicted time.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <vector>

#include "weft/options.hpp"
#include "weft/planning/cost.hpp"

namespace weft {

/// A strategy, and what it is predicted to take.
struct Ranked {
  Strategy strategy;
  StrategyCost cost;
};

/// What predictions need to know of all exchanges.
std::vector<ExchangeKind> exchange_kinds();

/// Error::unsupported for more ranks than the 65536 for which there are predictions, for callers
/// that would describe them all before they are refused.
void require_predictable(int ranks);

/// Strategies for `problem` (validated; c2c, r2c or r2r) on the ranks of `predictor`, the fastest
/// first, each once: the planner's choice, its choice for every process grid of two axes and, where
/// the problem leaves both ends free and has three axes, every rotation of every such grid: which
/// axis is transformed first, second and last; with four axes and more, slabs with one exchange
/// that has two axes and more on either side; of these, the 64 (for more than 512 ranks 16, for
/// more than 4096 ranks 2) that are fastest as far as the busiest rank tells. Only one if `options`
/// has a strategy, the planner's choices for one grid if it has a grid. Errors: see
/// require_predictable, planned_strategy.
std::vector<Ranked> ranked_strategies(const Problem& problem, const CostPredictor& predictor,
                                      const Options& options);

/// The strategy of a plan: the one that Options::strategy names, or of all that the predictor's
/// ranks can run the one that it predicts to be fastest for `problem` (as above). It looks at every
/// message if the links between nodes were measured, for up to 4096 ranks, and else as the planner
/// does. Errors: see planned_strategy.
Strategy fastest_strategy(const Problem& problem, const CostPredictor& predictor,
                          const Options& options);

}  // namespace weft
