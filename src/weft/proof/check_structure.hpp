// proof/check_structure: checks that every index in the programs is in range, and that every
// item of work has one task.
// Pure. Keeps: later checks need not test ranges again.
#pragma once

#include "weft/proof/hazard_list.hpp"

namespace weft {

/// Adds what is malformed to `hazards`. Also compares the buffers of other ranks in a program with
/// those in the programs of their owners.
void check_structure(const ProgramSet& set, HazardList& hazards);

}  // namespace weft
