// making/node_exchange: who stores what, and where it is kept.

#include "weft/making/node_exchange.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "weft/making/messages.hpp"

namespace weft {

NodeExchange::NodeExchange(const Redistribution& moves, const Machine& machine, int node,
                           std::int64_t element_bytes)
    : ranks_(machine.ranks_of(node)),
      outgoing_(ranks_.size()),
      incoming_(ranks_.size()),
      stationary_elements_(ranks_.size(), 0),
      storers_(static_cast<std::size_t>(moves.cutting().cells()), 0),
      receivers_(storers_.size(), 0),
      traffic_(moves, machine, node, least_elements_of_segment(machine, element_bytes)) {
  for (const int rank : ranks_) {
    sends_.push_back(moves.sends(rank));
    for (const int cell : cells_of(sends_.back())) ++storers_[static_cast<std::size_t>(cell)];
    std::int64_t& offset = stationary_elements_[member(rank)];
    for (const Transfer& transfer : sends_.back()) {
      if (!has(transfer.peer)) continue;
      const StationaryBox box{rank, transfer.peer, transfer.box, transfer.cell, offset};
      outgoing_[member(rank)].push_back(box);
      incoming_[member(transfer.peer)].push_back(box);
      offset += transfer.box.volume();
    }
  }
  std::set<std::pair<int, int>> known;  // by cell
  for (const NodeSegment& segment : traffic_.received)
    if (known.insert({segment.cell, segment.receiver}).second)
      ++receivers_[static_cast<std::size_t>(segment.cell)];
}

bool NodeExchange::has(int rank) const {
  return std::binary_search(ranks_.begin(), ranks_.end(), rank);
}

std::size_t NodeExchange::member(int rank) const {
  return static_cast<std::size_t>(std::lower_bound(ranks_.begin(), ranks_.end(), rank) -
                                  ranks_.begin());
}

}  // namespace weft
