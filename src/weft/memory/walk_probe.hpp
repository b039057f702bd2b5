// memory/walk_probe: how fast the threads of a rank walk over memory.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/memory/buffer.hpp"

namespace weft {

/// The bytes that each of so many cores walks over in a cache that they share, of which half is
/// used; 0 if these are no more than twice the core's own cache, which would hold a good part of
/// them.
constexpr std::int64_t bytes_in_shared_cache(std::int64_t shared, std::int64_t own, int cores) {
  const std::int64_t each = shared / 2 / cores;
  return each > 2 * own ? each : 0;
}

/// The threads of a rank that walk over memory as passes do (memory/tile_walk), all at once.
class WalkProbe {
 public:
  /// With `threads` threads, or as many as OpenMP starts; arrays of 32 MiB each, and, unless it is
  /// 0, `cached_bytes` bytes of each thread.
  WalkProbe(int threads, std::int64_t cached_bytes);

  /// The memory that `threads` threads take.
  static std::int64_t bytes(int threads);

  /// Walks over all arrays once, and over as many bytes in the part of them that is in the shared
  /// cache; this takes about 5 ms. Does nothing if there was no memory for the arrays.
  void run();

  /// Bytes that the threads loaded and stored per second, together, in the fastest run; 0 if there
  /// was none, or no memory.
  double in_memory() const;
  double in_shared_cache() const;  ///< 0 also if this was not asked for

 private:
  // What one thread walks over.
  struct Arrays {
    Buffer from, to, tile;
    void make();
    void walk(std::int64_t part);
  };
  double seconds_of_walk(std::int64_t part);
  double bytes_per_second(double seconds) const;

  std::vector<Arrays> arrays_;
  std::int64_t part_ = 0;                                       // of an array, in the shared cache
  double seconds_in_memory_ = 0, seconds_in_shared_cache_ = 0;  // of the fastest; 0: none
};

}  // namespace weft
