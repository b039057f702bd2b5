// making/messages: lays out message buffers.

#include "weft/making/messages.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace weft {

Messages Messages::packed(const std::vector<Transfer>& transfers, int buffer, std::int64_t start) {
  Messages side;
  side.elements = start;
  for (const Transfer& transfer : transfers) {
    if (side.messages.empty() || side.messages.back().peer != transfer.peer ||
        side.messages.back().cell != transfer.cell)
      side.messages.push_back({transfer.peer, 0, buffer, side.elements, 0, transfer.cell});
    const int message = static_cast<int>(side.messages.size()) - 1;
    const std::int64_t points = transfer.box.volume();
    side.patches.push_back(packed_patch(transfer.box, buffer, side.elements, message));
    side.messages.back().count += points;
    side.elements += points;
  }
  return side;
}

Parted parted(const std::vector<Transfer>& transfers, int owner) {
  Parted all;
  for (const Transfer& transfer : transfers)
    (transfer.peer == owner ? all.kept : all.away).push_back(transfer);
  // Every rank starts with the rank after its own, so that not all send to the same rank first.
  const auto later = std::find_if(all.away.begin(), all.away.end(),
                                  [&](const Transfer& transfer) { return transfer.peer > owner; });
  std::rotate(all.away.begin(), later, all.away.end());
  for (auto* list : {&all.away, &all.kept})
    std::stable_sort(list->begin(), list->end(),
                     [](const Transfer& a, const Transfer& b) { return a.cell < b.cell; });
  return all;
}

MessageSides::MessageSides(const Redistribution& moves, int rank, int send_buffer,
                           int receive_buffer) {
  sent = Messages::packed(parted(moves.sends(rank), rank).away, send_buffer);
  const Parted taken = parted(moves.receives(rank), rank);
  received = Messages::packed(taken.away, receive_buffer);
  kept = Messages::packed(taken.kept, receive_buffer, received.elements);
  receive_elements = kept.elements;
  const auto both = [&](const Messages& side) {
    Patches patches = side.patches;
    for (Patch patch : kept.patches) {
      patch.message += count(side);
      patches.push_back(patch);
    }
    return patches;
  };
  outgoing = both(sent);
  incoming = both(received);
}

std::vector<int> cells_of(const std::vector<Transfer>& transfers) {
  std::set<int> cells;
  for (const Transfer& transfer : transfers) cells.insert(transfer.cell);
  return {cells.begin(), cells.end()};
}

std::vector<int> messages_in(const Messages& side, int cell) {
  std::vector<int> numbers;
  for (std::size_t m = 0; m < side.messages.size(); ++m)
    if (side.messages[m].cell == cell) numbers.push_back(static_cast<int>(m));
  return numbers;
}

std::vector<int> connected_ranks(const Redistribution& moves, int rank) {
  const auto owners = static_cast<std::size_t>(moves.owners());
  std::size_t with_points = 0;
  for (int owner = 0; owner < moves.owners(); ++owner)
    if (moves.source().volume(owner) > 0 || moves.target().volume(owner) > 0) ++with_points;
  std::vector<bool> is_found(owners, false);
  std::vector<int> found;
  const auto find = [&](int other) {
    if (is_found[static_cast<std::size_t>(other)]) return;
    is_found[static_cast<std::size_t>(other)] = true;
    found.push_back(other);
  };
  find(rank);
  // As a rule the first rank or row has all that can be found, and the others need not be visited.
  for (std::size_t i = 0; i < found.size() && found.size() < with_points; ++i)
    for (const auto& [from, to] :
         {std::pair(&moves.source(), &moves.target()), std::pair(&moves.target(), &moves.source())})
      for (const Box& box : from->boxes(found[i]))
        to->for_each_overlap(box, [&](int other, int, const Box&) { find(other); });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace weft
