// model/other_walks: the same transforms in fewer or more passes over memory.
#pragma once

#include <vector>

#include "weft/model/strategy.hpp"

namespace weft {

/// The strategy with all passes that follow one another joined to one, and with the last axis of
/// each pass in a pass of its own; of these, what differs from `strategy`. Nothing for strategies
/// that split an axis. New passes have no choices.
std::vector<Strategy> with_other_walks(const Strategy& strategy);

}  // namespace weft
