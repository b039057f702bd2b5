// making/lay_out_collectives: exchanges by one collective per cell, over the ranks that exchange
// data with each other.
// alltoall: all messages are padded to the size of the largest; below 256 bytes per pair of ranks,
// MPI_Alltoallv takes up to twice as long (Subramoni, "Communication for FFTs at exascale", OSU).
// alltoallw: a single collective over sub-array types, which packs nothing; the reference for all
// other exchanges (Dalcin, Mortensen, Keyes, "Fast parallel multidimensional FFT using advanced
// MPI", J. Parallel Distrib. Comput. 128 (2019)).

#include <algorithm>
#include <map>
#include <utility>

#include "weft/grid/box_index.hpp"
#include "weft/making/exchange_layout.hpp"

namespace weft {

namespace {

// The cells of a cutting in the order of their collectives: the order in which the ranks compute
// them, so that data that are stored first are sent first. In the order in which ranks load them,
// all cells would wait for the last source part.
std::vector<int> cells_as_computed(const Cutting& cutting) {
  std::vector<int> cells;
  for (int source = 0; source < cutting.source_parts; ++source)
    for (int target = 0; target < cutting.target_parts; ++target)
      cells.push_back(cutting.cell(source, target));
  return cells;
}

std::int64_t& at_cell(std::vector<std::int64_t>& by_cell, int cell) {
  return by_cell[static_cast<std::size_t>(cell)];
}

// The ranges of the boxes of a group along an axis, ascending, each once. On a process grid they
// are disjoint.
std::vector<Range> ranges_along(const Decomposition& decomposition, const std::vector<int>& group,
                                int axis) {
  std::vector<Range> ranges;
  for (const int rank : group)
    for (const Box& box : decomposition.boxes(rank)) ranges.push_back({box.lo[axis], box.hi[axis]});
  std::ranges::sort(ranges, {}, &Range::lo);
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  return ranges;
}

// The longest overlap of a range of `a` with one of `b`.
std::int64_t longest_overlap(const std::vector<Range>& a, const std::vector<Range>& b) {
  std::int64_t longest = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    longest = std::max(longest, std::min(i->hi, j->hi) - std::max(i->lo, j->lo));
    ++(i->hi < j->hi ? i : j);
  }
  return longest;
}

// By cell, the size of the largest message of any rank of the group, including messages of a rank
// to itself, or slightly more. Between process grids a message is one box, not larger than the
// longest overlaps along the axes together; so the messages, which may be as many as there are
// pairs of ranks, need not be listed.
std::vector<std::int64_t> largest_messages(const Redistribution& moves,
                                           const std::vector<int>& group) {
  std::vector<std::int64_t> largest(static_cast<std::size_t>(moves.cutting().cells()), 0);
  if (largest.size() == 1 && moves.source().is_natural() && moves.target().is_natural()) {
    largest[0] = 1;
    for (int axis = 0; axis < moves.source().extents().size(); ++axis)
      largest[0] *= longest_overlap(ranges_along(moves.source(), group, axis),
                                    ranges_along(moves.target(), group, axis));
    return largest;
  }
  for (const int rank : group) {
    std::map<std::pair<int, int>, std::int64_t> messages;  // by cell and peer
    for (const Transfer& transfer : moves.sends(rank))
      messages[{transfer.cell, transfer.peer}] += transfer.box.volume();
    for (const auto& [message, points] : messages) {
      std::int64_t& most = at_cell(largest, message.first);
      most = std::max(most, points);
    }
  }
  return largest;
}

// The points that `rank` has before and after.
std::int64_t points_that_stay(const Redistribution& moves, int rank) {
  const std::vector<Box> after = moves.target().boxes(rank);
  const BoxIndex index(after);
  std::int64_t points = 0;
  for (const Box& before : moves.source().boxes(rank))
    for (const std::size_t number : index.overlapping(before))
      points += intersect(before, after[number]).volume();
  return points;
}

// By cell, the largest number of points that a rank of the group sends to, or receives from, all
// others together.
std::vector<std::int64_t> largest_totals(const Redistribution& moves,
                                         const std::vector<int>& group) {
  const Decomposition &source = moves.source(), &target = moves.target();
  std::vector<std::int64_t> largest(static_cast<std::size_t>(moves.cutting().cells()), 0);
  // What does not stay is sent, so the messages need not be listed.
  if (largest.size() == 1 && !source.is_of_parts() && !target.is_of_parts()) {
    for (const int rank : group)
      largest[0] = std::max(largest[0], std::max(source.volume(rank), target.volume(rank)) -
                                            points_that_stay(moves, rank));
    return largest;
  }
  for (const int rank : group)
    for (const auto& transfers : {moves.sends(rank), moves.receives(rank)}) {
      std::vector<std::int64_t> totals(largest.size(), 0);
      for (const Transfer& transfer : transfers)
        if (transfer.peer != rank) at_cell(totals, transfer.cell) += transfer.box.volume();
      for (std::size_t c = 0; c < totals.size(); ++c) largest[c] = std::max(largest[c], totals[c]);
    }
  return largest;
}

std::vector<Collective::Part> parts_of(const Messages& side, const std::vector<int>& numbers) {
  std::vector<Collective::Part> parts;
  for (const int number : numbers) {
    const Message& message = side.messages[static_cast<std::size_t>(number)];
    parts.push_back({message.peer, message.offset, message.count, {}});
  }
  return parts;
}

// Adds the collective that carries the outgoing messages `takes` and the incoming messages
// `brings`.
void add_collective(Collective collective, const std::vector<int>& takes,
                    const std::vector<int>& brings, ExchangeLayout& layout) {
  const int number = static_cast<int>(layout.program.collectives.size());
  for (const int m : takes)
    layout.outgoing_messages[static_cast<std::size_t>(m)].collective = number;
  for (const int m : brings)
    layout.incoming_messages[static_cast<std::size_t>(m)].collective = number;
  layout.program.collectives.push_back(std::move(collective));
}

// Packs all messages, including those of the rank to itself: MPI copies these from slot to slot.
Messages all_messages(std::vector<Transfer> transfers, int buffer) {
  std::stable_sort(transfers.begin(), transfers.end(),
                   [](const Transfer& a, const Transfer& b) { return a.cell < b.cell; });
  return Messages::packed(transfers, buffer);
}

// Moves every message to the slot of its cell and its peer.
void place_in_slots(Messages& side, const std::vector<std::int64_t>& starts,
                    const std::vector<std::int64_t>& slots, const std::vector<int>& group) {
  std::vector<std::int64_t> moves_by;
  for (Message& message : side.messages) {
    const auto cell = static_cast<std::size_t>(message.cell);
    const auto member = std::lower_bound(group.begin(), group.end(), message.peer) - group.begin();
    moves_by.push_back(starts[cell] + member * slots[cell] - message.offset);
    message.offset += moves_by.back();
  }
  for (Patch& patch : side.patches)
    patch.offset += moves_by[static_cast<std::size_t>(patch.message)];
}

// Boxes packed one after another, all of them parts of message 0.
Patches array_of(const std::vector<Box>& boxes, int buffer) {
  Patches array;
  std::int64_t offset = 0;
  for (const Box& box : boxes) {
    array.push_back(packed_patch(box, buffer, offset, 0));
    offset += box.volume();
  }
  return array;
}

// For each peer the boxes that are sent to it (received from it), as patches of `array`, in the
// order of the transfers, which is the same for the peer. The boxes of a user's array may have
// another order than those of the decomposition.
std::vector<Collective::Part> boxes_by_peer(const std::vector<Transfer>& transfers,
                                            const Patches& array) {
  const BoxIndex index = index_of(array);
  std::vector<Collective::Part> parts;
  for (const Transfer& transfer : transfers) {
    if (parts.empty() || parts.back().peer != transfer.peer)
      parts.push_back({transfer.peer, 0, 0, {}});
    const auto numbers = index.overlapping(transfer.box);
    ensure(numbers.size() == 1, numbers.size(), to_string(transfer.box));
    parts.back().boxes.push_back(clipped(array[numbers.front()], transfer.box));
    parts.back().count += transfer.box.volume();
  }
  return parts;
}

std::vector<int> all_ranks(int ranks) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) all[static_cast<std::size_t>(rank)] = rank;
  return all;
}

}  // namespace

ExchangeLayout lay_out_alltoallv(const ExchangeQuestion& question) {
  ensure(!question.source_array && !question.target_array);
  const Redistribution& moves = *question.moves;
  const MessageSides sides(moves, question.rank, question.send_buffer, question.receive_buffer);
  ExchangeLayout layout = layout_by_messages(sides, question.element_bytes);
  layout.program.by_collectives = true;
  for (int m = 0; m < sides.outgoing_messages(); ++m)
    layout.outgoing_messages.push_back({.stays_as = sides.stays_as(m)});
  layout.incoming_messages.resize(static_cast<std::size_t>(sides.incoming_messages()));
  const std::vector<int> group = connected_ranks(moves, question.rank);
  auto largest = largest_totals(moves, group);
  for (const int cell : cells_as_computed(moves.cutting())) {
    const std::int64_t most = at_cell(largest, cell);
    if (most == 0) continue;
    const auto takes = messages_in(sides.sent, cell), brings = messages_in(sides.received, cell);
    add_collective({Collective::alltoallv, group, question.send_buffer, question.receive_buffer,
                    parts_of(sides.sent, takes), parts_of(sides.received, brings), most},
                   takes, brings, layout);
  }
  return layout;
}

ExchangeLayout lay_out_alltoall(const ExchangeQuestion& question) {
  ensure(!question.source_array && !question.target_array);
  const Redistribution& moves = *question.moves;
  const std::vector<int> group = connected_ranks(moves, question.rank);
  Messages sent = all_messages(moves.sends(question.rank), question.send_buffer);
  Messages received = all_messages(moves.receives(question.rank), question.receive_buffer);
  auto slots = largest_messages(moves, group);
  ExchangeLayout layout;
  layout.program.element_bytes = question.element_bytes;
  layout.program.by_collectives = true;
  layout.outgoing_messages.resize(sent.messages.size());
  layout.incoming_messages.resize(received.messages.size());
  std::vector<std::int64_t> starts(slots.size(), 0);
  for (const int cell : cells_as_computed(moves.cutting())) {
    const std::int64_t slot = at_cell(slots, cell);
    at_cell(starts, cell) = layout.send_elements;
    layout.send_elements += slot * static_cast<std::int64_t>(group.size());
  }
  layout.receive_elements = layout.send_elements;
  place_in_slots(sent, starts, slots, group);
  place_in_slots(received, starts, slots, group);
  for (const int cell : cells_as_computed(moves.cutting())) {
    const std::int64_t slot = at_cell(slots, cell);
    if (slot == 0) continue;
    const auto takes = messages_in(sent, cell), brings = messages_in(received, cell);
    add_collective({Collective::alltoall, group, question.send_buffer, question.receive_buffer,
                    parts_of(sent, takes), parts_of(received, brings), slot},
                   takes, brings, layout);
    layout.program.collectives.back().first_slot = at_cell(starts, cell);
    for (const int peer : group)
      if (peer != question.rank) layout.sent.push_back({peer, slot * question.element_bytes});
  }
  layout.outgoing = std::move(sent.patches);
  layout.incoming = std::move(received.patches);
  return layout;
}

namespace {

// The parts of `patches` that are sent or received, where that is not all of them.
Patches moved_parts(const Patches& patches, const std::vector<Transfer>& transfers) {
  Patches parts;
  const BoxIndex index = index_of(patches);
  for (const Transfer& transfer : transfers)
    for (const std::size_t number : index.overlapping(transfer.box))
      parts.push_back(clipped(patches[number], transfer.box));
  return parts;
}

}  // namespace

ExchangeLayout lay_out_alltoallw(const ExchangeQuestion& question) {
  const int rank = question.rank;
  const Redistribution& moves = *question.moves;
  const auto sends = moves.sends(rank), receives = moves.receives(rank);
  const Patches source = question.source_array
                             ? *question.source_array
                             : array_of(moves.source().boxes(rank), question.send_buffer);
  const Patches target = question.target_array
                             ? *question.target_array
                             : array_of(moves.target().boxes(rank), question.receive_buffer);
  ExchangeLayout layout;
  layout.program.element_bytes = question.element_bytes;
  layout.program.by_collectives = true;
  layout.incoming = moves.source().is_of_parts() ? moved_parts(target, receives) : target;
  if (!question.source_array) {
    layout.outgoing = moves.target().is_of_parts() ? moved_parts(source, sends) : source;
    layout.outgoing_messages.resize(layout.outgoing.empty() ? 0 : 1);
    layout.send_elements = span_of(source, question.send_buffer);
  }
  if (!question.target_array) {
    layout.incoming_messages.resize(layout.incoming.empty() ? 0 : 1);
    layout.receive_elements = span_of(target, question.receive_buffer);
  }
  const auto only = [](std::size_t messages) {
    return messages == 0 ? std::vector<int>{} : std::vector<int>{0};
  };
  add_collective({Collective::alltoallw, all_ranks(moves.owners()),
                  source.empty() ? question.send_buffer : source.front().buffer,
                  target.empty() ? question.receive_buffer : target.front().buffer,
                  boxes_by_peer(sends, source), boxes_by_peer(receives, target), 0},
                 only(layout.outgoing_messages.size()), only(layout.incoming_messages.size()),
                 layout);
  for (const Message& message : Messages::packed(parted(sends, rank).away, 0).messages)
    layout.sent.push_back({message.peer, message.count * question.element_bytes});
  return layout;
}

}  // namespace weft
