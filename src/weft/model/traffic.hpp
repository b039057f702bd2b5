// model/traffic: what the busiest rank sends or receives in an exchange, without listing it.
#pragma once

#include <cstdint>

#include "weft/grid/decomposition.hpp"

namespace weft {

/// Points and messages of one rank in one exchange; what stays with it is not counted.
struct Traffic {
  std::int64_t points = 0, messages = 0;
};

/// What the busiest rank sends or receives from one decomposition to another: gathering on one rank
/// is no cheaper than scattering. Of many ranks some, spread evenly, stand for all.
Traffic busiest_traffic(const Decomposition& from, const Decomposition& to);

}  // namespace weft
