// exchange/group: the ranks that exchange data with each other, directly or through others.
#pragma once

#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/grid/redistribution.hpp"

namespace weft {

/// A communicator of the ranks that `moves` connects to this one (a row or a column of pencils),
/// so that a collective over it involves nobody else.
struct Group {
  Communicator comm;
  std::vector<int> rank_in_group;  ///< by rank of the whole; -1 outside

  /// Collective over `whole`.
  Group(const Communicator& whole, const Redistribution& moves);
};

}  // namespace weft
