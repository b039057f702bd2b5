// choose/walk_rule: how a pass walks over memory by rule, and which of the other ways are worth a
// trial.
#pragma once

#include <array>

#include "weft/program/pass_spec.hpp"

namespace weft {

/// What a pass does where no choice says otherwise, and whether trials of loading and storing in
/// the other way are worthwhile.
struct WalkRule {
  bool prefetches, loads_directly, stores_directly, tries_loads, tries_stores;

  static constexpr std::array<bool WalkRule::*, 5> all() {
    return {&WalkRule::prefetches, &WalkRule::loads_directly, &WalkRule::stores_directly,
            &WalkRule::tries_loads, &WalkRule::tries_stores};
  }
};

/// The rule for a pass about which no choice says anything.
WalkRule walk_rule(const PassSpec& spec);

}  // namespace weft
