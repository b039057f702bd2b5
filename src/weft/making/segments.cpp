// making/segments: chooses which ranks send and receive which part of a message between nodes.

#include "weft/making/segments.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace weft {

namespace {

using Members = std::vector<std::vector<int>>;  // ranks by node
using FragmentsByCell = std::map<int, std::vector<Fragment>>;
using FragmentsByNode = std::map<int, FragmentsByCell>;

int longest_axis(const Box& box) {
  int longest = 0;
  for (int a = 1; a < box.axes(); ++a)
    if (box.extent(a) > box.extent(longest)) longest = a;
  return longest;
}

// The boxes that ranks of `node` send to other nodes, or receive from them, sorted by the rank that
// owns them before, then by the rank that owns them after.
FragmentsByNode fragments_by_node(const Redistribution& moves, const Machine& machine,
                                  const std::vector<int>& members, int node, bool sending) {
  FragmentsByNode fragments;
  for (const int rank : members)
    for (const Transfer& transfer : sending ? moves.sends(rank) : moves.receives(rank)) {
      const int other = machine.node(transfer.peer);
      if (other == node) continue;
      fragments[other][transfer.cell].push_back(sending
                                                    ? Fragment{rank, transfer.peer, transfer.box}
                                                    : Fragment{transfer.peer, rank, transfer.box});
    }
  if (sending) return fragments;
  for (auto& [from, by_cell] : fragments)
    for (auto& [cell, some] : by_cell) std::ranges::stable_sort(some, {}, &Fragment::source_rank);
  return fragments;
}

// By cell, of those that are asked for, the number of other nodes to which a node with these ranks
// sends, or `enough`, or more: the ranks after those that have found so many need not be looked at.
std::map<int, std::size_t> partners_by_cell(const Redistribution& moves, const Machine& machine,
                                            const std::vector<int>& members, int node,
                                            const std::set<int>& cells, std::size_t enough) {
  std::map<int, std::set<int>> partners;
  for (const int cell : cells) partners[cell] = {};
  for (const int rank : members) {
    for (const Transfer& transfer : moves.sends(rank))
      if (const int to = machine.node(transfer.peer); to != node)
        if (const auto found = partners.find(transfer.cell); found != partners.end())
          found->second.insert(to);
    if (std::ranges::all_of(partners,
                            [&](const auto& cell) { return cell.second.size() >= enough; }))
      break;
  }
  std::map<int, std::size_t> counts;
  for (const auto& [cell, nodes] : partners) counts[cell] = nodes.size();
  return counts;
}

// Enough segments that every rank of the larger node has one to send or receive, if the messages to
// all partner nodes are counted.
int segments_for(std::int64_t elements, std::size_t ranks, std::size_t partners,
                 std::int64_t least_elements) {
  const auto wanted = static_cast<std::int64_t>((ranks + partners - 1) / partners);
  return static_cast<int>(
      std::clamp<std::int64_t>(elements / least_elements, 1, std::max<std::int64_t>(1, wanted)));
}

// The segments from node `from`, which has so many partners in each cell, to node `to`, cell by
// cell. If a cell has fewer segments than the nodes have ranks, the ranks after those that were
// used last send and receive the next cell.
std::vector<NodeSegment> segments_between(int from, int to, const FragmentsByCell& by_cell,
                                          const std::map<int, std::size_t>& partners,
                                          const Members& members, std::int64_t least_elements) {
  std::vector<NodeSegment> all;
  const auto& source_ranks = members[static_cast<std::size_t>(from)];
  const auto& target_ranks = members[static_cast<std::size_t>(to)];
  std::size_t turn = 0;
  for (const auto& [cell, fragments] : by_cell) {
    std::int64_t elements = 0;
    for (const Fragment& fragment : fragments) elements += fragment.box.volume();
    const int wanted = segments_for(elements, std::max(source_ranks.size(), target_ranks.size()),
                                    partners.at(cell), least_elements);
    for (auto& run : cut_evenly(fragments, wanted)) {
      NodeSegment& segment = all.emplace_back();
      segment.sender = source_ranks[(static_cast<std::size_t>(to) + turn) % source_ranks.size()];
      segment.receiver =
          target_ranks[(static_cast<std::size_t>(from) + turn) % target_ranks.size()];
      segment.cell = cell;
      segment.fragments = std::move(run);
      for (Fragment& fragment : segment.fragments) {
        fragment.offset = segment.count;
        segment.count += fragment.box.volume();
      }
      ++turn;
    }
  }
  return all;
}

std::set<int> cells_in(const FragmentsByCell& fragments) {
  std::set<int> cells;
  for (const auto& [cell, some] : fragments) cells.insert(cell);
  return cells;
}

// The nodes of `fragments` from the node after `mine` on, so that not all nodes send to the same
// one first.
std::vector<int> nodes_after(int mine, const FragmentsByNode& fragments) {
  std::vector<int> nodes;
  for (const auto& [node, by_cell] : fragments) nodes.push_back(node);
  std::rotate(nodes.begin(), std::ranges::upper_bound(nodes, mine), nodes.end());
  return nodes;
}

}  // namespace

std::vector<std::vector<Fragment>> cut_evenly(const std::vector<Fragment>& fragments,
                                              int segments) {
  std::int64_t total = 0, placed = 0;
  for (const Fragment& fragment : fragments) total += fragment.box.volume();
  std::vector<std::vector<Fragment>> runs(1);
  const auto end_of_run = [&] {
    return total / segments * static_cast<std::int64_t>(runs.size()) +
           total % segments * static_cast<std::int64_t>(runs.size()) / segments;
  };
  for (Fragment fragment : fragments) {
    while (!fragment.box.empty()) {
      if (placed >= end_of_run() && static_cast<int>(runs.size()) < segments) runs.emplace_back();
      Fragment head = fragment;
      const bool is_last = static_cast<int>(runs.size()) == segments;
      if (const std::int64_t room = end_of_run() - placed;
          !is_last && fragment.box.volume() > room) {
        const int axis = longest_axis(fragment.box);
        const std::int64_t layer = fragment.box.volume() / fragment.box.extent(axis);
        const std::int64_t layers = std::max<std::int64_t>(1, room / layer);
        head.box.hi[axis] = std::min(fragment.box.hi[axis], fragment.box.lo[axis] + layers);
        fragment.box.lo[axis] = head.box.hi[axis];
      } else {
        fragment.box.lo = fragment.box.hi;
      }
      placed += head.box.volume();
      runs.back().push_back(head);
    }
  }
  return runs;
}

NodeTraffic::NodeTraffic(const Redistribution& moves, const Machine& machine, int node,
                         std::int64_t least_elements) {
  Members members(static_cast<std::size_t>(machine.nodes()));
  for (int rank = 0; rank < machine.ranks; ++rank)
    members[static_cast<std::size_t>(machine.node(rank))].push_back(rank);
  const auto& mine = members[static_cast<std::size_t>(node)];
  // With as many partners as a node has ranks, each partner has one segment; and a node has no more
  // partners than there are nodes.
  std::size_t enough = 0;
  for (const auto& ranks : members) enough = std::max(enough, ranks.size());
  enough = std::min(enough, members.size() - 1);
  const auto partners_of = [&](int from, const std::set<int>& cells) {
    return partners_by_cell(moves, machine, members[static_cast<std::size_t>(from)], from, cells,
                            enough);
  };
  const FragmentsByNode ours = fragments_by_node(moves, machine, mine, node, true);
  const FragmentsByNode theirs = fragments_by_node(moves, machine, mine, node, false);
  std::set<int> our_cells;
  for (const auto& [to, by_cell] : ours) our_cells.merge(cells_in(by_cell));
  const auto partners = partners_of(node, our_cells);
  for (const int to : nodes_after(node, ours))
    std::ranges::move(segments_between(node, to, ours.at(to), partners, members, least_elements),
                      std::back_inserter(sent));
  for (const int from : nodes_after(node, theirs)) {
    const FragmentsByCell& by_cell = theirs.at(from);
    std::ranges::move(segments_between(from, node, by_cell, partners_of(from, cells_in(by_cell)),
                                       members, least_elements),
                      std::back_inserter(received));
  }
  for (auto* side : {&sent, &received})
    std::stable_sort(side->begin(), side->end(),
                     [](const NodeSegment& a, const NodeSegment& b) { return a.cell < b.cell; });

  std::map<int, std::int64_t> send_ends, receive_ends;  // by rank
  for (NodeSegment& segment : sent) {
    segment.send_offset = send_ends[segment.sender];
    send_ends[segment.sender] += segment.count;
  }
  for (NodeSegment& segment : received) {
    segment.receive_offset = receive_ends[segment.receiver];
    receive_ends[segment.receiver] += segment.count;
  }
}

}  // namespace weft
