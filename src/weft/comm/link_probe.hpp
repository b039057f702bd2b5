// comm/link_probe: how fast the links between nodes are.
#pragma once

#include <vector>

#include "weft/comm/communicator.hpp"

namespace weft {

/// What links do while each node sends to the next one.
struct LinkProbe {
  double bytes_per_second = 0;  ///< that a node sends, while it receives as much
  double message_seconds = 0;   ///< from a node to the next, of a message of 8 bytes
  /// What each of 16 messages of 8 bytes takes that a node sends, and receives, at the same time.
  double overhead_seconds = 0;
  /// The seconds in which a rank cannot compute, for each byte that it sends or receives.
  double handling_seconds_per_byte = 0;
};

/// Measures in about 60 ms, or up to 120 where 4 MiB take some milliseconds: the lowest rank of
/// each node sends messages of up to 4 MiB to the lowest rank of the next one; and how much longer
/// those of the first two nodes compute meanwhile (comm/message_handling). Rank r is on node
/// `node_of_rank[r]`; empty: each is a node. Collective, and the same on all ranks; Error::system
/// if MPI fails.
LinkProbe probed_links(const Communicator& comm, const std::vector<int>& node_of_rank);

}  // namespace weft
