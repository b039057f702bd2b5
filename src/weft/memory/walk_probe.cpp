// memory/walk_probe: times copies.

#include "weft/memory/walk_probe.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "weft/base/trace.hpp"

namespace weft {

double probed_walk() {
  constexpr std::size_t bytes = std::size_t{16} << 20;
  constexpr int copies = 3;
  std::vector<std::byte> from(bytes), to(bytes);
  double least = 1;
  for (int copy = 0; copy < copies; ++copy) {
    from[static_cast<std::size_t>(copy)] = std::byte{1};  // so that no copy is left out
    const double begin = now();
    std::memcpy(to.data(), from.data(), bytes);
    least = std::min(least, now() - begin);
  }
  constexpr double least_seconds = 1e-6;  // of a clock that stands still
  return 2 * static_cast<double>(bytes) / std::max(least, least_seconds);
}

}  // namespace weft
