// memory/tile_memory: what a thread computes in.
#pragma once

#include <vector>

#include "weft/memory/buffer.hpp"

namespace weft {

/// Room for one tile before and after it is halved; passes that run one after the other share it.
struct TileMemory {
  Buffer real, spectral;

  std::int64_t bytes() const { return real.bytes() + spectral.bytes(); }
};

/// One for each thread, first touched by that thread, so that it lies near its core.
std::vector<TileMemory> tile_memory(int threads, std::int64_t real_bytes,
                                    std::int64_t spectral_bytes);

}  // namespace weft
