// memory/cache_probe: how much the caches of a core hold, found out by loading.
// What the system tells is a hint: virtual machines tell the caches of the whole host, or none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "weft/memory/caches.hpp"

namespace weft {

/// How long a load takes that depends on the load before it, at random places in so many bytes.
struct Latency {
  std::int64_t bytes;
  double nanoseconds;
};

/// Latencies for growing sizes, from 128 KiB to at most 48 MiB, measured in less than
/// `milliseconds`. Other processes that run at the same time take their part of shared caches.
std::vector<Latency> measured_latencies(double milliseconds);

/// The capacities at which `latencies` rise: of the level-2 cache of this core, and of what this
/// process can have of the level-3 cache. Where the largest size is still fast, level 3 is that
/// size, because what was not seen is not believed; 0 where a level cannot be told.
Caches capacities_of(const std::vector<Latency>& latencies);

/// Capacities by measurements. A measurement is repeated while it contradicts what the system
/// tells, because another program that runs for some milliseconds makes caches seem small: at most
/// three in all, and the fastest loads of each size count. They are made anew where the system
/// tells another level 3: what a process found while it ran alone says nothing about its part when
/// all ranks of its machine compute.
class CacheProbe {
 public:
  explicit CacheProbe(std::function<std::vector<Latency>()> measure)
      : measure_(std::move(measure)) {}

  /// A 0 in `told` contradicts nothing. Several threads may call it.
  Caches capacities(const Caches& told);

 private:
  std::function<std::vector<Latency>()> measure_;
  std::mutex guard_;
  struct Measured {
    std::vector<Latency> fastest;
    Caches found;
    int runs = 0;
  };
  std::map<std::int64_t, Measured> measured_;  // by the level 3 that was told
};

/// The capacities for this process, measured in less than 30 ms at the first call for a part of
/// level 3, and up to twice more by a CacheProbe.
Caches probed_caches(const Caches& told);

/// `told`, unless `measured` differs from it by more than the uncertainty of the measurement: then
/// `measured`.
std::int64_t confirmed(std::int64_t told, std::int64_t measured);

}  // namespace weft
