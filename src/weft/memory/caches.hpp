// memory/caches: the sizes of this machine's caches.
#pragma once

#include <cstdint>

namespace weft {

/// The level-2 cache of one core, and all level-3 caches of the machine together, in bytes; 0 where
/// the size is unknown.
struct Caches {
  std::int64_t level_2 = 0, level_3 = 0;
};
/// The cache sizes, which are read at the first call.
const Caches& caches();

}  // namespace weft
