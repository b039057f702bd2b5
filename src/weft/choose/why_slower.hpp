// choose/why_slower: what one strategy takes longer for than another.
// Pure.
#pragma once

#include "weft/planning/cost.hpp"

namespace weft {

/// What a strategy spends more time on than another one: passes, copies of messages, messages,
/// links, or less that chunks hide.
struct Reason {
  const char* spending = "";
  double seconds = 0;  ///< more than the other one; 0 if there is nothing
};

/// The reason that costs most: where `cost` exceeds `best` by the most.
Reason why_slower(const StrategyCost& cost, const StrategyCost& best);

}  // namespace weft
