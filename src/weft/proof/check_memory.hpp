// proof/check_memory: checks that accesses to the same bytes are ordered in all runs.
// Pure. Keeps: it treats one batch of nodes at a time, so its memory does not grow with the
// machine.
#pragma once

#include <vector>

#include "weft/proof/check_knowledge.hpp"

namespace weft {

/// Runs that are checked.
struct CheckedRuns {
  const ProgramSet& set;
  const std::vector<Knowledge::Direction>& all;
  const std::vector<int>& directions;  ///< of every run
  bool in_one_array;                   ///< input and output are
};

/// Adds to `hazards` what is wrong on `ranks`, which are all ranks of some nodes: accesses without
/// an order, reads of bytes that have not been written, signals whose runs mix, and collectives of
/// an exchange that may start in another order than that of their numbers.
void check_memory(const CheckedRuns& runs, const std::vector<int>& ranks, HazardList& hazards);

}  // namespace weft
