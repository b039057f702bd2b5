// weft/detail: how much plans tell about themselves.
// Floor: base.
#pragma once

namespace weft {

/// How much AnyPlan::describe tells.
enum class Detail {
  summary,  ///< at most six lines: what a user wants to know after making a plan
  all,      ///< all stages, predictions and races
};

}  // namespace weft
