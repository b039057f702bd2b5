// memory/tile_walk: what is walked over arrives, and nothing else is touched.

#include "weft/memory/tile_walk.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weft/memory/buffer.hpp"

using namespace weft;

TEST(TileWalk, stores_what_it_loads_where_it_belongs) {
  Buffer tile(tile_walk_bytes);
  for (const std::int64_t bytes :
       {0L, 16L, 4096L, 128L << 10, 777L * 16, 1L << 20, (3L << 20) + 48})
    for (const bool streaming : {false, true}) {
      constexpr std::int64_t margin = 4096;
      Buffer from(bytes + margin), to(bytes + margin);
      for (std::int64_t i = 0; i < bytes + margin; ++i) {
        from.data()[i] = static_cast<std::byte>(1 + i % 251);
        to.data()[i] = std::byte{0};
      }
      walk_by_tiles(from.data(), to.data(), bytes, tile.data(), streaming);
      std::int64_t walked = 0;
      for (std::int64_t i = 0; i < bytes + margin; ++i) {
        if (to.data()[i] == std::byte{0}) continue;
        ASSERT_EQ(to.data()[i], from.data()[i]) << bytes << " at " << i;
        ASSERT_LT(i, bytes);
        ++walked;
      }
      EXPECT_EQ(walked, bytes) << bytes;
    }
}
