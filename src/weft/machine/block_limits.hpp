// machine/block_limits: what the threads of a block of a device have.
#pragma once

#include <cstdint>

namespace weft {

/// What a block of threads may use.
struct BlockLimits {
  std::int64_t shared_bytes = 48 * 1024;
  int threads = 1024;
  int warp = 32;  ///< the number of threads is a multiple of this

  friend bool operator==(const BlockLimits&, const BlockLimits&) = default;
};

/// The registers in which a thread keeps its points between the two synchronizations of a step, and
/// how many butterflies of a radix it can hold.
inline constexpr int points_of_thread = 16;
constexpr int butterflies_of_thread(int radix) {
  return radix > points_of_thread ? 1 : points_of_thread / radix;
}
/// The most steps of a line, and the number of points in real space that no tile reaches.
inline constexpr int most_block_steps = 12;
inline constexpr std::int64_t block_points_limit = std::int64_t{1} << 16;

}  // namespace weft
