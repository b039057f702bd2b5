// making/feeds: who waits for the messages that a pass stores: other nodes or this node.
// Pure. Items that other nodes wait for are computed first.
#pragma once

#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/grid/patches.hpp"
#include "weft/machine/machine.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// For each of the `messages` that `rank` stores in the patches `outgoing`, who waits for it;
/// `next` is the decomposition after the exchange.
std::vector<Feeds> feeds_of_messages(const Patches& outgoing, int messages,
                                     const Decomposition& next, const Machine& machine, int rank);

}  // namespace weft
