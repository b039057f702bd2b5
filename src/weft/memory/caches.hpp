// memory/caches: the sizes of this machine's caches.
#pragma once

#include <cstdint>

namespace weft {

/// The level-2 cache of one core, and all level-3 caches of the machine together, in bytes; 0 where
/// the size is unknown.
struct Caches {
  std::int64_t level_2 = 0, level_3 = 0;
  std::int64_t level_3_of_core = 0;  ///< the largest of them that one core can use
};
/// The cache sizes that the system tells, which are read at the first call. In a build for SimGrid
/// they are those stated for simulated hosts, so that plans are the same whatever machine runs the
/// simulation.
const Caches& caches();

/// A simulated host, unless set_simulated_caches says otherwise: a core of AMD's Zen 4, and the
/// level-3 cache that 8 of them share (Software Optimization Guide for the AMD Zen4
/// Microarchitecture, 57647).
inline constexpr Caches simulated_host{std::int64_t{1} << 20, std::int64_t{32} << 20,
                                       std::int64_t{32} << 20};
/// Error::invalid unless both are at least 1 byte. Does nothing in other builds.
void set_simulated_caches(const Caches& stated);

}  // namespace weft
