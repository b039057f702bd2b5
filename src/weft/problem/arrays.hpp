// problem/arrays: where users' distributions say that boxes lie in memory.
// Pure.
#pragma once

#include <vector>

#include "weft/problem.hpp"

namespace weft {

/// Error::invalid if parts are used for what they cannot, or if an array has no place for a box.
/// Whether points share an element, require_apart tells.
void check_arrays(const Problem& problem);

/// Removes empty boxes, and what arrays say about them, from distributions with arrays, which have
/// been checked: a decomposition has no empty boxes, and an array describes its boxes by number.
void drop_empty_boxes(Problem& problem);

/// The axes of `boxes` as they lie in their arrays, the slowest first, by the first box whose
/// strides tell; none: as they are numbered.
std::vector<int> order_in(const std::vector<UserArray>& arrays);

}  // namespace weft
