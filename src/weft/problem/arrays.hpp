// problem/arrays: where users' distributions say that boxes lie in memory.
// Pure.
#pragma once

#include <vector>

#include "weft/problem.hpp"

namespace weft {

/// Error::invalid if parts are used where they cannot be, or if an array has no room for a box. It
/// does not check whether points share an element; require_apart does.
void check_arrays(const Problem& problem);

/// Removes empty boxes, and what arrays say about them, from distributions with arrays, which have
/// been checked: a decomposition has no empty boxes, and an array describes its boxes by number.
void drop_empty_boxes(Problem& problem);

/// The order of the axes of `boxes` in their arrays, the slowest first, from the first box whose
/// strides tell it; empty: as they are numbered.
std::vector<int> order_in(const std::vector<UserArray>& arrays);

}  // namespace weft
