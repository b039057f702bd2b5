// replay/transfers: what moves from rank to rank in a run of the programs: one transfer for each
// message, and for each part of a collective.
// Pure.
#pragma once

#include <vector>

#include "weft/proof/check.hpp"

namespace weft {

/// Bytes from one rank to another. The sender's task starts it and the receiver's task awaits it;
/// of a collective, both are of kind `collective`, and complete with the last of their transfers.
struct DataTransfer {
  int from = 0, to = 0;  ///< ranks
  int from_task = 0, to_task = 0;
  double bytes = 0;
  int round = 0;  ///< from 1 on, of an alltoallv that goes pairwise; else 0

  friend bool operator==(const DataTransfer&, const DataTransfer&) = default;
};

/// All transfers of the forward direction, without those of a rank to itself. The programs must
/// match, as those of a maker do. With `pairwise`, collectives by alltoallv go by rounds.
std::vector<DataTransfer> transfers_of(const ProgramSet& set, bool pairwise = false);

}  // namespace weft
