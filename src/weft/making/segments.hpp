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

/// Divides `fragments` into at most `segments` runs of nearly equal volume, and cuts boxes that
/// belong to two runs.
std::vector<std::vector<Fragment>> cut_evenly(const std::vector<Fragment>& fragments, int segments);

/// The segments that node `node` sends and receives, sorted by cell and then by peer node, from the
/// node after `node` on.
struct NodeTraffic {
  std::vector<NodeSegment> sent, received;

  /// Messages are cut so that every rank has a segment to send or receive, but into segments of
  /// about `least_elements` elements or more.
  NodeTraffic(const Redistribution& moves, const Machine& machine, int node,
              std::int64_t least_elements);
};

}  // namespace weft
