// exchange/array_types: messages that are boxes of an array in place, as MPI sub-array types.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/comm/datatype.hpp"
#include "weft/grid/patches.hpp"
#include "weft/grid/redistribution.hpp"

namespace weft {

/// All boxes that go to (come from) `peer`, as one type relative to the start of `buffer`.
struct ArrayMessage {
  int peer;
  int buffer;
  Datatype type;
};

enum class Side { source, target };

/// One type per peer, in the order of the transfers. `array` holds one patch per box of the owner,
/// in order.
std::vector<ArrayMessage> array_messages(const std::vector<Transfer>& transfers,
                                         const Patches& array, Side side,
                                         std::int64_t element_bytes);

}  // namespace weft
