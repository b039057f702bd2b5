// program/check_structure: whether every number in the programs names something, and every piece of
// work has one task.
// Keeps: what has passed can be followed without looking at ranges again.
#pragma once

#include "weft/program/hazard_list.hpp"

namespace weft {

/// Adds what is malformed to `hazards`. Also compares what ranks of a node say of each other's
/// buffers.
void check_structure(const ProgramSet& set, HazardList& hazards);

}  // namespace weft
