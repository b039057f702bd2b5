// memory/walk_probe: how fast the threads of a rank walk over memory.
#pragma once

#include <cstdint>

namespace weft {

/// Bytes that the threads of a rank load and store per second, together, when they walk over memory
/// as passes do (memory/tile_walk).
struct WalkProbe {
  double in_memory = 0;
  double in_shared_cache = 0;  ///< 0 if this was not asked for
};

/// What each of so many cores may walk over in a cache that they share, half of which is used: 0 if
/// this is no more than twice the core's own cache, which would hold a good part of it.
constexpr std::int64_t bytes_in_shared_cache(std::int64_t shared, std::int64_t own, int cores) {
  const std::int64_t each = shared / 2 / cores;
  return each > 2 * own ? each : 0;
}

/// What `threads` threads take for probed_walk().
std::int64_t walk_probe_bytes(int threads);

/// Measures with `threads` threads, or as many as OpenMP starts, in about 20 ms: the fastest of
/// some walks over arrays of 32 MiB each, and, unless it is 0, over `cached_bytes` bytes of each
/// thread. Zeros if there is no memory. Not collective.
WalkProbe probed_walk(int threads, std::int64_t cached_bytes);

}  // namespace weft
