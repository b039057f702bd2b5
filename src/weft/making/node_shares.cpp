// making/node_shares: cuts rows of messages into even shares.

#include "weft/making/node_shares.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

// The points of `boxes` in fewer boxes: those that together are a box are joined, along one axis
// after another. Ranks of a node have adjacent pieces as a rule.
std::vector<Box> joined(std::vector<Box> boxes) {
  const int axes = boxes.empty() ? 0 : boxes.front().axes();
  for (int axis = axes - 1; axis >= 0; --axis) {
    // Boxes with the same ranges along all other axes stand together, in order along this one.
    std::ranges::sort(boxes, [&](const Box& a, const Box& b) {
      for (int other = 0; other < axes; ++other) {
        if (other == axis || a.range(other) == b.range(other)) continue;
        return a.lo[other] != b.lo[other] ? a.lo[other] < b.lo[other] : a.hi[other] < b.hi[other];
      }
      return a.lo[axis] < b.lo[axis];
    });
    std::vector<Box> fewer;
    for (const Box& box : boxes) {
      Box longer = fewer.empty() ? box : fewer.back(), whole = box;
      whole.lo[axis] = longer.lo[axis];
      const bool is_adjacent = !fewer.empty() && longer.hi[axis] == box.lo[axis];
      longer.hi[axis] = box.hi[axis];
      if (is_adjacent && longer == whole)
        fewer.back() = whole;
      else
        fewer.push_back(box);
    }
    boxes = std::move(fewer);
  }
  return boxes;
}

// What all ranks of a node own.
Decomposition by_node(const Decomposition& by_rank, const Machine& machine) {
  std::vector<std::vector<Box>> boxes(static_cast<std::size_t>(machine.nodes()));
  for (int rank = 0; rank < machine.ranks; ++rank)
    for (const Box& box : by_rank.boxes(rank))
      boxes[static_cast<std::size_t>(machine.node(rank))].push_back(box);
  for (auto& some : boxes) some = joined(std::move(some));
  return Decomposition::of_parts(by_rank.extents(), std::move(boxes), "nodes'");
}

// The number of cuts at or before `position`: of the rank whose share goes on there.
int rank_at(const std::vector<std::int64_t>& cuts, std::int64_t position) {
  return static_cast<int>(std::ranges::upper_bound(cuts, position) - cuts.begin());
}

}  // namespace

std::vector<std::int64_t> even_cuts(const std::vector<std::int64_t>& ends, int ranks) {
  const std::int64_t total = ends.back();
  const double share = static_cast<double>(total) / ranks;
  std::vector<std::int64_t> cuts;
  std::int64_t begin = 0;
  int first = 0;  // of the ranks that have no share yet
  const auto can_share = [&](std::int64_t elements, int some) {
    return some > 0 && static_cast<double>(elements) <= most_of_even_share * share * some;
  };
  const auto suits = [&](std::int64_t end, int last) {
    return can_share(end - begin, last - first) && can_share(total - end, ranks - last);
  };
  for (const std::int64_t end : ends) {
    if (end == begin) continue;
    int last = ranks;
    if (end < total) {
      const double even = static_cast<double>(end) / share;
      const int below = static_cast<int>(even), above = below + 1;
      const bool is_nearer_below = even - below < 0.5;
      last = is_nearer_below ? below : above;
      if (!suits(end, last)) last = is_nearer_below ? above : below;
      if (!suits(end, last)) continue;
    }
    for (int rank = first + 1; rank <= last && rank < ranks; ++rank)
      cuts.push_back(begin + (end - begin) * (rank - first) / (last - first));
    begin = end;
    first = last;
  }
  return cuts;
}

NodeShares::NodeShares(const Redistribution& moves, const Machine& machine)
    : nodes_(machine.nodes()), ranks_(static_cast<std::size_t>(nodes_), 0) {
  for (int rank = 0; rank < machine.ranks; ++rank)
    ++ranks_[static_cast<std::size_t>(machine.node(rank))];
  if (std::ranges::any_of(ranks_, [](int ranks) { return ranks > 1; }))
    moves_.emplace(by_node(moves.source(), machine), by_node(moves.target(), machine));
}

// A node sends first to the one after it, which receives from it first: so if all nodes are alike,
// a message has the same place in the rows of both, and is cut at the same elements.
NodeShares::Row NodeShares::row_of(int node, bool sending) const {
  std::map<int, std::int64_t> elements;  // by distance
  for (const Transfer& transfer : sending ? moves_->sends(node) : moves_->receives(node))
    if (transfer.peer != node)
      elements[sending ? distance(node, transfer.peer) : distance(transfer.peer, node)] +=
          transfer.box.volume();
  Row row;
  std::int64_t end = 0;
  for (const auto& [distance, count] : elements) {
    row.distances.push_back(distance);
    row.ends.push_back(end += count);
  }
  return row;
}

NodeShares::Place NodeShares::place_of(const Row& row, int distance) {
  const auto found = std::ranges::lower_bound(row.distances, distance);
  ensure(found != row.distances.end() && *found == distance, distance);
  const auto end = row.ends.begin() + (found - row.distances.begin());
  return {end == row.ends.begin() ? 0 : *(end - 1), *end};
}

const NodeShares::Row& NodeShares::sent_by(int node) {
  const auto [found, is_new] = sent_by_.try_emplace(node);
  Row& row = found->second;
  if (is_new) {
    row = row_of(node, true);
    row.cuts = even_cuts(row.ends, ranks_[static_cast<std::size_t>(node)]);
  }
  return row;
}

// Where its senders have cut a message, the receivers may as well.
const NodeShares::Row& NodeShares::received_by(int node) {
  const auto [found, is_new] = received_by_.try_emplace(node);
  Row& row = found->second;
  if (!is_new) return row;
  row = row_of(node, false);
  std::vector<std::int64_t> ends = row.ends;
  for (const int distance : row.distances) {
    const int from = (node - distance + nodes_) % nodes_;
    if (ranks_[static_cast<std::size_t>(from)] == 1) continue;
    const Row& sent = sent_by(from);
    const Place there = place_of(sent, distance), here = place_of(row, distance);
    for (const std::int64_t cut : sent.cuts)
      if (cut > there.begin && cut < there.end) ends.push_back(cut - there.begin + here.begin);
  }
  std::ranges::sort(ends);
  row.cuts = even_cuts(ends, ranks_[static_cast<std::size_t>(node)]);
  return row;
}

// Receivers are counted from the last rank on. If all nodes are alike, two ranks of which one sends
// to the other then receives from it, too: fewer pairs of ranks need a connection.
std::vector<Stretch> NodeShares::of_message(int from, int to, std::int64_t elements) {
  const int senders = ranks_[static_cast<std::size_t>(from)];
  const int receivers = ranks_[static_cast<std::size_t>(to)];
  static const Row none;
  const Row& sent = senders > 1 ? sent_by(from) : none;
  const Row& received = receivers > 1 ? received_by(to) : none;
  const Place there = senders > 1 ? place_of(sent, distance(from, to)) : Place{0, elements};
  const Place here = receivers > 1 ? place_of(received, distance(from, to)) : Place{0, elements};
  ensure(there.end - there.begin == elements && here.end - here.begin == elements, from, to,
         elements);
  std::vector<std::int64_t> ends{elements};
  for (const std::int64_t cut : sent.cuts) ends.push_back(cut - there.begin);
  for (const std::int64_t cut : received.cuts) ends.push_back(cut - here.begin);
  std::erase_if(ends, [&](std::int64_t end) { return end <= 0 || end > elements; });
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Stretch> stretches;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    stretches.push_back({end, rank_at(sent.cuts, there.begin + begin),
                         receivers - 1 - rank_at(received.cuts, here.begin + begin)});
    begin = end;
  }
  return stretches;
}

}  // namespace weft
