// faces/plan_access: lets fields, and tests of weft's floors, look at what a plan points to.
#pragma once

#include "weft/plan/plan_body.hpp"

namespace weft {

class AnyPlan;

struct PlanAccess {
  static const PlanBody& body(const AnyPlan& plan);
};

}  // namespace weft
