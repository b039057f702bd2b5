// memory/caches: how large this machine's caches are.
#pragma once

#include <cstdint>

namespace weft {

/// The level-2 cache of a core, and all level-3 caches of the machine together, in bytes; 0 where
/// the system does not tell.
struct Caches {
  std::int64_t level_2 = 0, level_3 = 0;
};
/// Reads it once.
const Caches& caches();

}  // namespace weft
