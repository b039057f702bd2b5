// model/traffic: what the busiest rank sends or receives in an exchange, without listing it.
#pragma once

#include <cstdint>

#include "weft/grid/decomposition.hpp"
#include "weft/model/machine.hpp"

namespace weft {

/// Points of one rank in one exchange, and how many ranks it has to do with; what stays with it is
/// not counted. `far` is the part that concerns ranks of other nodes.
struct Traffic {
  std::int64_t points = 0, messages = 0;
  std::int64_t far_points = 0, far_messages = 0;
};

/// What the busiest rank sends or receives from one decomposition to another: gathering on one rank
/// is no cheaper than scattering. Of many ranks some, spread evenly, stand for all.
Traffic busiest_traffic(const Decomposition& from, const Decomposition& to, const Machine& machine);

}  // namespace weft
