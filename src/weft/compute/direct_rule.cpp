// compute/direct_rule: depends on the processor, and on whether the data fit the caches.

#include "weft/compute/direct_rule.hpp"

#include "weft/fft/processor_family.hpp"

namespace weft {

// Transforms read cache lines in an order in which nothing prefetches them, so what they read
// should be in the caches. Columns of a single axis, which are far apart, also go line by line.
DirectRule direct_rule(const PassSpec& spec) {
  if (!processor_family().goes_without_copies) return {false, false};
  return {spec.fits_caches, spec.fits_caches || (spec.axes.size() > 1 && !spec.streaming)};
}

}  // namespace weft
