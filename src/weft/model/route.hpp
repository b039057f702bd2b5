// model/route: the decompositions a strategy passes through.
// Keeps: a route answers its problem, or making it throws.
#pragma once

#include <vector>

#include "weft/model/problem.hpp"
#include "weft/model/strategy.hpp"

namespace weft {

/// Where the data lie along a strategy's forward direction. Inner decompositions: the r2c axis is
/// halved from the stage on that transforms it.
struct Route {
  View input_view, output_view;              ///< the user's arrays on the inner grid
  Decomposition user_input, user_output;     ///< on the user's grid
  std::vector<Decomposition> before, after;  ///< per stage, on the inner grid
};

/// The route of `strategy` for `problem` (validated; c2c or r2c).
/// Error::invalid, with the reason, if the strategy does not answer the problem.
Route route_of(const Strategy& strategy, const Problem& problem, int ranks);

/// Where the input lies on the user's grid; in slabs, if the problem leaves the choice and no
/// process grid was chosen: one for each of `slab_owners`, or for each rank if that is empty.
Decomposition starting_input(const Problem& problem, int ranks,
                             const std::vector<int>& slab_owners);

/// Where the output must lie on the user's grid; in slabs, if the problem leaves the choice.
Decomposition required_output(const Problem& problem, const Decomposition& user_input, int ranks,
                              const std::vector<int>& slab_owners);

/// The same owners after the axis `half`, whole everywhere, has been halved to that of `extents`.
Decomposition unmoved(const Decomposition& real, const Extents& extents, int half);

}  // namespace weft
