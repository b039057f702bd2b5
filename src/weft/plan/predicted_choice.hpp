// plan/predicted_choice: the strategy of a plan where the speeds of its machine are known.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include "weft/machine/machine.hpp"
#include "weft/options.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// Of all strategies that `ranked_strategies` knows and `machine` can run, the one that is
/// predicted to be fastest (planning/cost) for `problem` (validated; c2c, r2c or r2r), if it is
/// predicted to be faster than `counted`, the one of fewest bytes by the planner's count, which has
/// fewer stages as a rule: by at least 5% on several nodes, by 10% on one; else `counted`. Also
/// `counted` where there are no predictions (see predictor_here), and where the user gives a
/// strategy. Errors: see ranked_strategies.
Strategy predicted_choice(const Strategy& counted, const Problem& problem, const Machine& machine,
                          const Options& options);

}  // namespace weft
