// making/feeds: finds out who owns the points of a message after the exchange.

#include "weft/making/feeds.hpp"

namespace weft {

std::vector<Feeds> feeds_of_messages(const Patches& outgoing, int messages,
                                     const Decomposition& next, const Machine& machine, int rank) {
  std::vector<Feeds> feeds(static_cast<std::size_t>(messages), Feeds::this_node);
  for (const Patch& patch : outgoing) {
    if (patch.message == Patch::resident) continue;
    next.for_each_overlap(patch.box, [&](int target_rank, int, const Box&) {
      if (machine.node(target_rank) != machine.node(rank))
        feeds[static_cast<std::size_t>(patch.message)] = Feeds::other_nodes;
    });
  }
  return feeds;
}

}  // namespace weft
