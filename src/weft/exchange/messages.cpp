// exchange/messages: laying out message buffers.

#include "weft/exchange/messages.hpp"

#include <algorithm>

namespace weft {

Messages Messages::packed(const std::vector<Transfer>& transfers, int buffer, std::int64_t start) {
  Messages side;
  side.elements = start;
  for (const Transfer& transfer : transfers) {
    if (side.messages.empty() || side.messages.back().peer != transfer.peer ||
        side.messages.back().cell != transfer.cell)
      side.messages.push_back({transfer.peer, side.elements, 0, transfer.cell});
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
  // Everyone starts with the rank after its own, so that no rank is everybody's first.
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

}  // namespace weft
