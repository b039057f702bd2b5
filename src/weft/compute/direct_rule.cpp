// compute/direct_rule: depends on the processor, on whether the data fit the caches, and on how far
// points lie apart in the arrays (docs/lab, "Transforms without copies").

#include "weft/compute/direct_rule.hpp"

#include <algorithm>
#include <cmath>

#include "weft/base/pages.hpp"
#include "weft/fft/processor_family.hpp"

namespace weft {

namespace {

// Whether the last transform would write points that are whole pages apart. Their cache lines share
// one set of the level-1 cache, and replace each other before they are full; a copy writes whole
// rows.
bool stores_at_whole_pages(const PassSpec& spec) {
  constexpr std::int64_t ways = 8;
  const int last = spec.axes_in_order().back();
  const std::int64_t element_bytes = spec.target_scalar().bytes();
  return std::ranges::any_of(spec.target, [&](const Patch& patch) {
    return patch.box.extent(last) > ways && patch.strides[last] * element_bytes % page_bytes == 0;
  });
}

}  // namespace

// Kernels of c2c lines multiply by powers of two between their steps, which changes no bit.
bool may_store_directly(const PassSpec& spec) {
  int exponent = 0;
  const bool is_in_kernels = spec.factor == 1 || (std::frexp(spec.factor, &exponent) == 0.5 &&
                                                  spec.half_axis < 0 && spec.lines.empty());
  return is_in_kernels && !spec.target_points && !spec.streaming;
}

// Transforms read cache lines in an order in which nothing prefetches them, so what they read
// should be in the caches. Columns of a single axis, which are far apart, also go line by line.
DirectRule direct_rule(const PassSpec& spec) {
  if (spec.axes.empty() || !processor_family().goes_without_copies) return {false, false};
  const bool stores = spec.fits_caches || (spec.axes.size() > 1 && !spec.streaming);
  return {spec.fits_caches, stores && !stores_at_whole_pages(spec)};
}

}  // namespace weft
