// program/check_memory: whether accesses to the same bytes are ordered in all runs.
// Pure. Keeps: one batch of nodes at a time, so that memory does not grow with the machine.
#pragma once

#include <vector>

#include "weft/program/check_knowledge.hpp"

namespace weft {

/// Adds to `hazards`, for `ranks`, which are those of whole nodes: accesses in no order, reads of
/// what is not written, signals whose runs mix, and collectives of an exchange that are not started
/// in the order of their numbers. `runs`: the direction of each.
void check_memory(const ProgramSet& set, const std::vector<Knowledge::Direction>& all,
                  const std::vector<int>& runs, const std::vector<int>& ranks, HazardList& hazards);

}  // namespace weft
