// proof/proof: the check of all that a blueprint comes to.
// Pure.
#pragma once

#include <vector>

#include "weft/making/blueprint.hpp"
#include "weft/proof/check.hpp"

namespace weft {

/// The programs of all ranks in both directions.
ProgramSet programs_of(const Blueprint& blueprint);

/// Error::bug, with the first hazard in words, if the programs of all ranks are not free of races
/// and deadlocks. Takes time and memory in proportion to the points of the problem.
void prove(const Blueprint& blueprint);

}  // namespace weft
