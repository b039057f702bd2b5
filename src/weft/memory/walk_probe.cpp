// memory/walk_probe: times walks.

#include "weft/memory/walk_probe.hpp"

#include <omp.h>

#include <algorithm>

#include "weft/base/trace.hpp"
#include "weft/memory/tile_walk.hpp"

namespace weft {

namespace {
constexpr std::int64_t array_bytes = std::int64_t{32} << 20;
}  // namespace

void WalkProbe::Arrays::make() {
  from = Buffer(array_bytes);
  to = Buffer(array_bytes);
  tile = Buffer(tile_walk_bytes);
}

// Walks over as many bytes as the arrays have, always over the first `part` bytes of them.
void WalkProbe::Arrays::walk(std::int64_t part) {
  for (std::int64_t done = 0; done < array_bytes; done += part)
    walk_by_tiles(from.data(), to.data(), std::min(part, array_bytes - done), tile.data(),
                  part == array_bytes);
}

std::int64_t WalkProbe::bytes(int threads) { return threads * (2 * array_bytes + tile_walk_bytes); }

WalkProbe::WalkProbe(int threads, std::int64_t cached_bytes)
    : arrays_(static_cast<std::size_t>(threads)),
      // Whole cache lines.
      part_(std::min(cached_bytes / 2 / 64 * 64, array_bytes / 2)) {
  bool is_scarce = false;
  int started = 1;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
#pragma omp single
    started = omp_get_num_threads();
    try {
      arrays_[static_cast<std::size_t>(omp_get_thread_num())].make();
    } catch (...) {  // there is no memory
#pragma omp atomic write
      is_scarce = true;
    }
  }
  arrays_.resize(is_scarce ? 0 : static_cast<std::size_t>(started));
}

double WalkProbe::seconds_of_walk(std::int64_t part) {
  constexpr double least_seconds = 1e-6;  // of a clock that stands still
  const double begin = now();
#pragma omp parallel num_threads(static_cast <int>(arrays_.size())) if (arrays_.size() > 1)
  arrays_[static_cast<std::size_t>(omp_get_thread_num())].walk(part);
  return std::max(least_seconds, now() - begin);
}

void WalkProbe::run() {
  if (arrays_.empty()) return;
  const auto keep_least = [](double& least, double seconds) {
    if (least == 0 || seconds < least) least = seconds;
  };
  keep_least(seconds_in_memory_, seconds_of_walk(array_bytes));
  if (part_ > 0) keep_least(seconds_in_shared_cache_, seconds_of_walk(part_));
}

double WalkProbe::bytes_per_second(double seconds) const {
  const double bytes = 2.0 * static_cast<double>(array_bytes) * static_cast<double>(arrays_.size());
  return seconds > 0 ? bytes / seconds : 0;
}
double WalkProbe::in_memory() const { return bytes_per_second(seconds_in_memory_); }
double WalkProbe::in_shared_cache() const { return bytes_per_second(seconds_in_shared_cache_); }

}  // namespace weft
