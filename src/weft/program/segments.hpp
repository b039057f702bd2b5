// program/segments: one message per pair of nodes and cell, cut into segments that all ranks of
// the two nodes send and receive. Keeps: both sides compute the same segments; nothing is
// negotiated.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/redistribution.hpp"
#include "weft/model/machine.hpp"

namespace weft {

/// A box on its way from rank `giver` to rank `taker`, packed from element `offset` of its segment
/// on.
struct Piece {
  int giver, taker;
  Box box;
  std::int64_t offset = 0;
};

/// A part of the message of `cell` from one node to another. Rank `sender` of the first sends it
/// from its buffer to that of rank `receiver` of the second; its pieces belong to any ranks of the
/// two. No two segments of a cell have the same sender and the same receiver.
struct NodeSegment {
  int sender, receiver;
  int cell;
  std::vector<Piece> pieces;
  std::int64_t count = 0;           ///< elements
  std::int64_t send_offset = 0;     ///< in the sender's buffer
  std::int64_t receive_offset = 0;  ///< in the receiver's
};

/// `pieces` in `segments` runs of nearly equal volume; boxes are cut where runs meet.
std::vector<std::vector<Piece>> cut_evenly(const std::vector<Piece>& pieces, int segments);

/// What node `node` sends to others and receives from them: cells ascending, then peer nodes.
struct NodeTraffic {
  std::vector<NodeSegment> sent, received;

  /// Messages are cut so that every rank has one to send, but not below `least_elements`.
  NodeTraffic(const Redistribution& moves, const Machine& machine, int node,
              std::int64_t least_elements);
};

}  // namespace weft
