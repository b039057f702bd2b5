// planning/placed: checking and asking the user's placement, and making placements from lists.
#pragma once

#include <vector>

#include "weft/grid/factorizations.hpp"
#include "weft/machine/machine.hpp"
#include "weft/placement.hpp"

namespace weft {

/// Error::invalid if it cannot be: pieces without a function, or too many of them.
void check(const Placement& placement);

/// The process grid of `parts` as `placement` says. Error::invalid, naming the piece, if it is to
/// lie with a rank that is not there.
ProcessGrid placed(const Dims& parts, const Placement& placement, int ranks);

/// The ranks of slabs along the first of `axes` axes: where the ends lie that the problem leaves
/// free and a split axis forbids a process grid. Empty if there is one for every rank, in order.
std::vector<int> slab_owners(int axes, const Placement& placement, int ranks);

/// A piece for each of `ranks`.
Placement one_piece_on(std::vector<int> ranks);

/// `count` ranks on as few nodes as can hold them, ascending: the largest nodes are filled first,
/// of equal ones the first. Error::invalid if there are not so many.
std::vector<int> ranks_on_fewest_nodes(int count, const Machine& machine);

}  // namespace weft
