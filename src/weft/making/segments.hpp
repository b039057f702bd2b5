// making/segments: cuts the message between two nodes into segments that all their ranks send and
// receive. There is one message per pair of nodes and cell.
// Pure. Keeps: both sides compute the same segments; nothing is negotiated.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/redistribution.hpp"
#include "weft/machine/machine.hpp"

namespace weft {

/// A box that moves from rank `source_rank` to rank `target_rank`, packed from element `offset` of
/// its segment on.
struct Fragment {
  int source_rank, target_rank;
  Box box;
  std::int64_t offset = 0;
};

/// A part of the message of `cell` from one node to another. Rank `sender` of the first node sends
/// it to rank `receiver` of the second; its fragments may belong to any ranks of the two nodes. No
/// two segments of a cell have the same sender and the same receiver.
struct NodeSegment {
  int sender, receiver;
  int cell;
  std::vector<Fragment> fragments;
  std::int64_t count = 0;           ///< elements
  std::int64_t send_offset = 0;     ///< elements, in the sender's send buffer
  std::int64_t receive_offset = 0;  ///< elements, in the receiver's receive buffer
};

/// Divides `fragments` into runs that end at about these elements, counted over all of them, and
/// cuts boxes that belong to two runs. Runs may be empty.
std::vector<std::vector<Fragment>> cut_at(const std::vector<Fragment>& fragments,
                                          const std::vector<std::int64_t>& ends);

/// The segments that node `node` sends and receives, sorted by cell and then by peer node: to the
/// node after `node` first, and from the node before it.
struct NodeTraffic {
  std::vector<NodeSegment> sent, received;

  /// Messages are cut so that all ranks have an even share to send and to receive: those of four
  /// times `least_elements` and more into segments of a fourth of it on average or more, smaller
  /// ones into segments of about `least_elements` or more.
  NodeTraffic(const Redistribution& moves, const Machine& machine, int node,
              std::int64_t least_elements);
};

}  // namespace weft
