// compute/direct_rule: whether transforms read arrays and write to them without copies, by rule.
#pragma once

#include "weft/program/pass_spec.hpp"

namespace weft {

/// Whether the first transform of a pass reads the array itself, and whether its last one writes to
/// it.
struct DirectRule {
  bool loads, stores;
};

/// Whether the last transform of a pass may write to an array at all: not past the caches, not to
/// a list of waves, and not where a kernel that multiplies by the factor would round otherwise than
/// a copy does.
bool may_store_directly(const PassSpec& spec);

/// What a pass does on this processor where no choice says otherwise. A pass without axes copies.
DirectRule direct_rule(const PassSpec& spec);

}  // namespace weft
