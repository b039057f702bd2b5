// compute/direct_rule: whether transforms read arrays and write to them without copies, by rule.
#pragma once

#include "weft/program/pass_spec.hpp"

namespace weft {

/// Of the first transform of a pass, and of its last one.
struct DirectRule {
  bool loads, stores;
};

/// What a pass does on this processor where no choice says otherwise; one without axes copies.
DirectRule direct_rule(const PassSpec& spec);

}  // namespace weft
