// grid/patches: computes how much of a buffer patches use.

#include "weft/grid/patches.hpp"

#include <algorithm>

namespace weft {

std::int64_t span_of(const Patches& patches, int buffer) {
  std::int64_t most = 0;
  for (const Patch& patch : patches)
    if (patch.buffer == buffer && !patch.box.empty())
      most = std::max(most, patch.offset + Layout{patch.box.extents(), patch.strides}.span());
  return most;
}

}  // namespace weft
