// memory/tile_memory: what a thread computes in.
#pragma once

#include <vector>

#include "weft/memory/buffer.hpp"

namespace weft {

/// Room for one tile, and for a group of its lines on their way in or out; passes that run one
/// after the other share it. Both in one buffer, and so in one huge page.
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

/// One for each thread, first touched by that thread, so that it lies near its core.
std::vector<TileMemory> tile_memory(int threads, std::int64_t group_bytes, std::int64_t tile_bytes);

}  // namespace weft
