// plan/raced_plans: plans for races, as long as there is memory for them.
#pragma once

#include <memory>

#include "weft/choose/raced_plan.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// Makes plans over `comm`, without a word in the log. Collective.
MakeRacedPlan raced_plans(std::shared_ptr<const Communicator> comm);

}  // namespace weft
