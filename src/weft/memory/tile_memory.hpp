// memory/tile_memory: the memory in which a thread transforms tiles.
#pragma once

#include <vector>

#include "weft/memory/buffer.hpp"

namespace weft {

/// Memory for one tile and for one group of its lines during a load or store. Passes that run one
/// after another share it. Both are in one buffer, so that they share a huge page.
class TileMemory {
 public:
  TileMemory() = default;
  TileMemory(std::int64_t group_bytes, std::int64_t tile_bytes);

  std::byte* group() const { return memory_.data(); }
  std::byte* tile() const { return memory_.data() + tile_offset_; }
  std::int64_t bytes() const { return memory_.bytes(); }

 private:
  std::int64_t tile_offset_ = 0;
  Buffer memory_;
};

/// One tile memory for each thread, first touched by that thread so that it is near its core.
std::vector<TileMemory> tile_memory(int threads, std::int64_t group_bytes, std::int64_t tile_bytes);

}  // namespace weft
