// memory/walk_probe: times walks.

#include "weft/memory/walk_probe.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/memory/tile_walk.hpp"

namespace weft {

namespace {

constexpr std::int64_t array_bytes = std::int64_t{32} << 20;
constexpr int walks = 3;

// What one thread walks over.
struct Arrays {
  Buffer from, to, tile;

  void make() {
    from = Buffer(array_bytes);
    to = Buffer(array_bytes);
    tile = Buffer(tile_walk_bytes);
  }
  // Over the whole arrays once, `part` bytes of them again and again.
  void walk(std::int64_t part) {
    for (std::int64_t done = 0; done < array_bytes; done += part)
      walk_by_tiles(from.data(), to.data(), std::min(part, array_bytes - done), tile.data(),
                    part == array_bytes);
  }
};

double seconds_of_walks(std::vector<Arrays>& arrays, std::int64_t part) {
  constexpr double least_seconds = 1e-6;  // of a clock that stands still
  double least = 1e3;
  for (int i = 0; i < walks; ++i) {
    const double begin = now();
#pragma omp parallel num_threads(static_cast <int>(arrays.size())) if (arrays.size() > 1)
    arrays[static_cast<std::size_t>(omp_get_thread_num())].walk(part);
    least = std::min(least, now() - begin);
  }
  return std::max(least, least_seconds);
}

}  // namespace

std::int64_t walk_probe_bytes(int threads) { return threads * (2 * array_bytes + tile_walk_bytes); }

WalkProbe probed_walk(int threads, std::int64_t cached_bytes) {
  std::vector<Arrays> arrays(static_cast<std::size_t>(threads));
  bool is_scarce = false;
  int started = 1;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
#pragma omp single
    started = omp_get_num_threads();
    try {
      arrays[static_cast<std::size_t>(omp_get_thread_num())].make();
    } catch (...) {  // there is no memory
#pragma omp atomic write
      is_scarce = true;
    }
  }
  if (is_scarce) return {};
  arrays.resize(static_cast<std::size_t>(started));
  const double bytes = 2.0 * static_cast<double>(array_bytes) * started;
  WalkProbe found{bytes / seconds_of_walks(arrays, array_bytes), 0};
  // Whole cache lines.
  const std::int64_t part = std::min(cached_bytes / 2 / 64 * 64, array_bytes / 2);
  if (part > 0) found.in_shared_cache = bytes / seconds_of_walks(arrays, part);
  return found;
}

}  // namespace weft
