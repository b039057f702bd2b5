// weft/memory_use: the bytes that a plan holds.
// Floor: base.
#pragma once

#include <cstdint>

namespace weft {

/// Bytes of one rank.
struct MemoryUse {
  std::int64_t input = 0;      ///< one array as forward takes it; in place the output, too
  std::int64_t output = 0;     ///< one array as forward makes it; 0 in place
  std::int64_t buffers = 0;    ///< buffers between stages, of all transforms in flight
  std::int64_t stand_ins = 0;  ///< for arrays that the node cannot map: see AnyPlan::allocate
  std::int64_t tiles = 0;      ///< tiles of all threads
  std::int64_t programs = 0;   ///< lists of tiles, messages and tasks
  /// All of them.
  std::int64_t total() const { return input + output + buffers + stand_ins + tiles + programs; }
  /// Whether all are the same.
  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

/// What a plan needs on one rank, and what it holds at present.
struct PlanMemory {
  /// What was expected before any of it was allocated: arrays, and stand-ins for all arrays that
  /// may need one; in place, as runs with one array need them. A plan that needs more memory than
  /// there is is refused.
  MemoryUse planned;
  /// What the plan has allocated. Arrays belong to the user, so they do not count. A stand-in
  /// counts from the first run that needs it.
  MemoryUse held;
};

}  // namespace weft
