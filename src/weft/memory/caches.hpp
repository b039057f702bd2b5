// memory/caches: how large this machine's caches are.
#pragma once

#include <cstdint>

namespace weft {

/// The level-2 cache of a core, and all level-3 caches of the machine together, in bytes; 0 where
/// the system does not tell.
struct Caches {
  std::int64_t level_2 = 0, level_3 = 0;
};
/// Reads it once. In a build for SimGrid, the caches stated for simulated hosts: whatever machine
/// simulates, plans are the same.
const Caches& caches();

/// A simulated host, unless set_simulated_caches says otherwise: a core of AMD's Zen 4, and the
/// level-3 cache that 8 of them share (Software Optimization Guide for the AMD Zen4
/// Microarchitecture, 57647).
inline constexpr Caches simulated_host{std::int64_t{1} << 20, std::int64_t{32} << 20};
/// Error::invalid unless both are at least 1 byte. Does nothing in other builds.
void set_simulated_caches(const Caches& stated);

}  // namespace weft
