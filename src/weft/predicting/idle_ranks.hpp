// predicting/idle_ranks: whether a problem has enough points along its axes for its ranks.
// Pure.
#pragma once

#include <string>

#include "weft/planning/strategy.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// The pass in which the fewest ranks have points, and how many these are.
struct WorkingRanks {
  std::string pass;
  int count = 0;
};

/// Of the forward direction of `strategy` for `problem` (validated; c2c or r2c). Errors: see
/// route_of.
WorkingRanks working_ranks(const Strategy& strategy, const Problem& problem, int ranks);

/// The largest number up to `ranks` that is the product of two numbers of which pencils give every
/// rank points: one for each of the two shortest axes, of the halved spectrum where there is one.
/// With fewer than three axes, the number of points along the shortest axis. At least 1.
int usable_ranks(const Problem& problem, int ranks);

}  // namespace weft
