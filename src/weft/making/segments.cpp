// making/segments: chooses which ranks send and receive which part of a message between nodes.

#include "weft/making/segments.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "weft/making/node_shares.hpp"

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

std::int64_t elements_of(const std::vector<Fragment>& fragments) {
  std::int64_t elements = 0;
  for (const Fragment& fragment : fragments) elements += fragment.box.volume();
  return elements;
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

// How many segments the message of a cell may have. The segments of a small message have
// `least_elements` or more each. A larger message is worth smaller segments if all ranks then have
// an even share of it.
std::int64_t most_segments(std::int64_t elements, std::int64_t least_elements) {
  constexpr std::int64_t large = 4, in_large = 4;
  if (elements / large >= least_elements)
    return static_cast<std::int64_t>(static_cast<double>(elements) /
                                     static_cast<double>(least_elements) * in_large);
  return std::max<std::int64_t>(1, elements / least_elements);
}

// The stretches of a message whose ranks send and receive cell `number` of `cells`, with their ends
// in this cell. If the cell may not have as many segments as there are stretches, the next cells go
// to the ranks of the other stretches, as often as these stretches are long.
std::vector<Stretch> stretches_of_cell(const std::vector<Stretch>& message, std::size_t number,
                                       std::size_t cells, std::int64_t elements,
                                       std::int64_t most) {
  std::vector<Stretch> chosen;
  const auto length = static_cast<double>(message.back().end);
  const auto scaled = [](std::int64_t count, double fraction) {
    return static_cast<std::int64_t>(static_cast<double>(count) * fraction);
  };
  if (std::ssize(message) <= most) {
    chosen = message;
    for (Stretch& each : chosen)
      each.end = scaled(elements, static_cast<double>(each.end) / length);
    return chosen;
  }
  for (std::int64_t i = 0; i < most; ++i) {
    const double middle = (static_cast<double>(number) + 0.5) / static_cast<double>(cells);
    const double at = (static_cast<double>(i) + middle) / static_cast<double>(most);
    const Stretch& stretch =
        *std::ranges::upper_bound(message, scaled(message.back().end, at), {}, &Stretch::end);
    if (chosen.empty() || chosen.back() != stretch) chosen.push_back(stretch);
  }
  for (std::size_t i = 0; i < chosen.size(); ++i)
    chosen[i].end =
        scaled(elements, static_cast<double>(i + 1) / static_cast<double>(chosen.size()));
  return chosen;
}

// The segments of the message between two nodes, the ranks of which are `senders` and `receivers`,
// cell by cell.
std::vector<NodeSegment> segments_of(const FragmentsByCell& by_cell,
                                     const std::vector<Stretch>& message,
                                     const std::vector<int>& senders,
                                     const std::vector<int>& receivers,
                                     std::int64_t least_elements) {
  std::vector<NodeSegment> all;
  std::size_t number = 0;
  for (const auto& [cell, fragments] : by_cell) {
    const std::int64_t elements = elements_of(fragments);
    const auto stretches = stretches_of_cell(message, number++, by_cell.size(), elements,
                                             most_segments(elements, least_elements));
    std::vector<std::int64_t> ends;
    for (const Stretch& stretch : stretches) ends.push_back(stretch.end);
    auto runs = cut_at(fragments, ends);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].empty()) continue;
      NodeSegment& segment = all.emplace_back();
      segment.sender = senders[static_cast<std::size_t>(stretches[i].sender)];
      segment.receiver = receivers[static_cast<std::size_t>(stretches[i].receiver)];
      segment.cell = cell;
      segment.fragments = std::move(runs[i]);
      for (Fragment& fragment : segment.fragments) {
        fragment.offset = segment.count;
        segment.count += fragment.box.volume();
      }
    }
  }
  return all;
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

std::vector<std::vector<Fragment>> cut_at(const std::vector<Fragment>& fragments,
                                          const std::vector<std::int64_t>& ends) {
  std::vector<std::vector<Fragment>> runs(ends.size());
  std::size_t run = 0;
  std::int64_t placed = 0;
  for (Fragment fragment : fragments) {
    while (!fragment.box.empty()) {
      const int axis = longest_axis(fragment.box);
      const std::int64_t layer = fragment.box.volume() / fragment.box.extent(axis);
      std::int64_t layers = fragment.box.extent(axis);
      if (run + 1 < runs.size())
        layers = std::min(layers, (ends[run] - placed + layer / 2) / layer);
      if (layers <= 0) {
        ++run;
        continue;
      }
      Fragment head = fragment;
      head.box.hi[axis] = fragment.box.lo[axis] + layers;
      fragment.box.lo[axis] = head.box.hi[axis];
      placed += head.box.volume();
      runs[run].push_back(head);
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
  NodeShares shares(moves, machine);
  const auto segments = [&](int from, int to, const FragmentsByCell& by_cell) {
    std::int64_t elements = 0;
    for (const auto& [cell, fragments] : by_cell) elements += elements_of(fragments);
    return segments_of(by_cell, shares.of_message(from, to, elements),
                       members[static_cast<std::size_t>(from)],
                       members[static_cast<std::size_t>(to)], least_elements);
  };
  const FragmentsByNode ours = fragments_by_node(moves, machine, mine, node, true);
  const FragmentsByNode theirs = fragments_by_node(moves, machine, mine, node, false);
  for (const int to : nodes_after(node, ours))
    std::ranges::move(segments(node, to, ours.at(to)), std::back_inserter(sent));
  std::vector<int> before = nodes_after(node, theirs);
  std::ranges::reverse(before);
  for (const int from : before)
    std::ranges::move(segments(from, node, theirs.at(from)), std::back_inserter(received));
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
