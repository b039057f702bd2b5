// choose/chosen_strategy: the strategy that options and planner come to, for any machine.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <string>

#include "weft/choose/checked_options.hpp"
#include "weft/planning/planner.hpp"

namespace weft {

/// c2r as r2c the other way round: its input is where r2c ends. `problem` must be validated.
/// Error::invalid where the output of c2r would be boxes of its halved input.
Problem as_r2c(Problem problem);

/// The problem (validated, c2c or r2c) as with_columns makes it, the waves of a sphere on the ranks
/// that compute, or on the owners that its cut-off has. Error::invalid if these are no ranks.
Problem with_placed_columns(Problem problem, const Machine& machine, const Options& options);

/// `problem` with the columns of a sphere where with_placed_columns has put them in `placed`, which
/// is the same problem: for plans with other options, such as a strategy.
Problem with_columns_of(const Problem& placed, Problem problem);

/// The strategy that Options::strategy names, or the planner's choice with its exchanges cut.
/// `problem`: validated, c2c or r2c. Error::invalid if there is none.
Strategy planned_strategy(const Problem& problem, const CostPredictor& predictor,
                          const Options& options);

/// `strategy` with its exchanges cut as Options::chunks says, or as a rule chooses.
Strategy with_chunks(Strategy strategy, const Problem& problem, const CostPredictor& predictor,
                     const Options& options);

}  // namespace weft
