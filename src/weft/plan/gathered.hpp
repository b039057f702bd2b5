// plan/gathered: the boxes of every rank, of which each rank knows its own.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/problem.hpp"

namespace weft {

/// Gives `problem` the boxes and the waves of every rank where it has those of this rank only
/// (Distribution::of_my_boxes, Cutoff::of_my_waves). Collective; all ranks pass the same forms.
void gather_boxes(const Communicator& comm, Problem& problem);

}  // namespace weft
