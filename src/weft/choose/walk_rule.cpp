// choose/walk_rule: see the header.

#include "weft/choose/walk_rule.hpp"

#include "weft/compute/direct_rule.hpp"

namespace weft {

// Columns beyond the caches are loaded and stored through copies in any case, and so is what is in
// a list of points.
WalkRule walk_rule(const PassSpec& spec) {
  const auto [loads, stores] = direct_rule(spec);
  const bool is_large = spec.prefetches;
  return {spec.prefetches, loads, stores, !spec.source_points && (!is_large || spec.loads_rows()),
          may_store_directly(spec) && !is_large};
}

}  // namespace weft
