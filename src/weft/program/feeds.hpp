// program/feeds: who waits for what a pass stores - another node, this one, or nobody.
// Pure. What the network waits for is computed first.
#pragma once

#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/grid/patches.hpp"
#include "weft/model/machine.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// Of each of the `messages` that `rank` stores in `outgoing`, and that take it to `next`.
std::vector<Feeds> feeds_of_messages(const Patches& outgoing, int messages,
                                     const Decomposition& next, const Machine& machine, int rank);

}  // namespace weft
