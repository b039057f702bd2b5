// making/node_exchange: who stores what, and where it is kept.

#include "weft/making/node_exchange.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "weft/making/messages.hpp"

namespace weft {

NodeExchange::NodeExchange(const Redistribution& moves, const Machine& machine, int node,
                           std::int64_t element_bytes, const StationaryRule& rule)
    : ranks_(machine.ranks_of(node)),
      outgoing_(ranks_.size()),
      incoming_(ranks_.size()),
      stationary_elements_(ranks_.size(), 0),
      storers_(static_cast<std::size_t>(moves.cutting().cells()), 0),
      receivers_(storers_.size(), 0),
      loaders_(storers_.size(), 0),
      traffic_(moves, machine, node, least_elements_of_segment(machine, element_bytes)) {
  for (const int rank : ranks_) {
    sends_.push_back(moves.sends(rank));
    if (rule.slots > 0)
      std::erase_if(sends_.back(), [rank](const Transfer& one) { return one.peer == rank; });
    for (const int cell : cells_of(sends_.back())) ++storers_[static_cast<std::size_t>(cell)];
    lay_out(rank, rule);
  }
  count_loaders();
  std::set<std::pair<int, int>> known;  // by cell
  for (const NodeSegment& segment : traffic_.received)
    if (known.insert({segment.cell, segment.receiver}).second)
      ++receivers_[static_cast<std::size_t>(segment.cell)];
}

// The boxes of a cell follow each other. In a ring, every cell has the place of the one that is
// `slots` before it.
void NodeExchange::lay_out(int rank, const StationaryRule& rule) {
  std::vector<std::int64_t> sizes(storers_.size(), 0);
  std::int64_t& elements = stationary_elements_[member(rank)];
  std::vector<StationaryBox> boxes;
  for (const Transfer& transfer : sends_[member(rank)]) {
    if (!has(transfer.peer) || (rule.others_only && transfer.peer == rank)) continue;
    std::int64_t& size = rule.slots > 0 ? sizes[static_cast<std::size_t>(transfer.cell)] : elements;
    boxes.push_back({rank, transfer.peer, transfer.box, transfer.cell, size});
    size += transfer.box.volume();
  }
  if (rule.slots > 0) {
    constexpr std::int64_t line = 64;  // elements, so that slots begin at cache lines
    const std::int64_t slot = (*std::ranges::max_element(sizes) + line - 1) / line * line;
    for (StationaryBox& box : boxes) box.offset += box.cell % rule.slots * slot;
    elements = rule.slots * slot;
  }
  for (const StationaryBox& box : boxes) {
    outgoing_[member(rank)].push_back(box);
    incoming_[member(box.target_rank)].push_back(box);
  }
}

void NodeExchange::count_loaders() {
  for (const auto& of_rank : incoming_) {
    std::set<int> cells;
    for (const StationaryBox& box : of_rank)
      if (box.source_rank != box.target_rank) cells.insert(box.cell);
    for (const int cell : cells) ++loaders_[static_cast<std::size_t>(cell)];
  }
}

bool NodeExchange::has(int rank) const {
  return std::binary_search(ranks_.begin(), ranks_.end(), rank);
}

std::size_t NodeExchange::member(int rank) const {
  return static_cast<std::size_t>(std::lower_bound(ranks_.begin(), ranks_.end(), rank) -
                                  ranks_.begin());
}

}  // namespace weft
