// model/route: the decompositions that the data have from stage to stage of a strategy.
// Keeps: a strategy whose route can be made solves its problem; for any other, route_of throws.
#pragma once

#include <vector>

#include "weft/model/problem.hpp"
#include "weft/model/strategy.hpp"

namespace weft {

/// The decompositions of the data in the forward direction of a strategy. The axis of r2c is halved
/// by the stage that transforms it.
struct Route {
  View input_view, output_view;              ///< the user's arrays on the inner grid
  Decomposition user_input, user_output;     ///< on the user's grid
  std::vector<Decomposition> before, after;  ///< each stage, on the inner grid
};

/// The route of `strategy` for `problem` (validated; c2c or r2c).
/// Error::invalid, with the reason, if the strategy does not solve the problem.
Route route_of(const Strategy& strategy, const Problem& problem, int ranks);

/// The decomposition of the input on the user's grid. An input that the problem leaves free is in
/// slabs, one for each of `slab_owners`, or one for each rank if that list is empty.
Decomposition starting_input(const Problem& problem, int ranks,
                             const std::vector<int>& slab_owners);

/// The decomposition that the output must have on the user's grid. An output that the problem
/// leaves free is in slabs.
Decomposition required_output(const Problem& problem, const Decomposition& user_input, int ranks,
                              const std::vector<int>& slab_owners);

/// The decomposition after the axis `half`, which no box divides, has been halved to that of
/// `extents`; every point stays with its owner.
Decomposition unmoved(const Decomposition& real, const Extents& extents, int half);

}  // namespace weft
