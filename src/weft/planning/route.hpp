// planning/route: the decompositions that the data have from stage to stage of a strategy.
// Keeps: a strategy whose route can be made solves its problem; for any other, route_of throws.
#pragma once

#include <vector>

#include "weft/planning/strategy.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// The decompositions of the data in the forward direction of a strategy. The stage that transforms
/// an axis changes its extent, if r2c halves it or not all of it is stored.
struct Route {
  FieldStates states;                        ///< of the field, by the axes that are transformed
  Decomposition user_input, user_output;     ///< on the user's grid
  std::vector<Decomposition> before, after;  ///< each stage, on the inner grid

  /// The user's arrays on the inner grid.
  const View& input_view() const { return states.input_view(); }
  const View& output_view() const { return states.output_view(); }
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

/// The decomposition after axes that no box divides have changed their extents to those of
/// `extents`; every line stays with its owner.
Decomposition unmoved(const Decomposition& before, const Extents& extents);

}  // namespace weft
