// base/prefetch_queue: every cache line of the rows is prefetched once, and no other line.
#include "weft/base/prefetch_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace weft;

// The number of cache lines that the queue still prefetches.
int lines_left(PrefetchQueue& queue) {
  int count = 0;
  for (; !queue.empty(); ++count) queue.prefetch(1);
  return count;
}

const std::byte* address(std::uintptr_t at) { return reinterpret_cast<const std::byte*>(at); }
// Nothing is read there.
const std::byte* const some_address = address(1 << 20);

TEST(PrefetchQueue, prefetches_line_by_line_and_row_by_row) {
  PrefetchQueue queue;
  EXPECT_EQ(lines_left(queue), 0);
  queue.add({some_address, 3, 4096, 1000});  // 16 lines a row
  queue.add({some_address, 1, 0, 64});
  EXPECT_EQ(lines_left(queue), 3 * 16 + 1);
  queue.prefetch(1);
  EXPECT_TRUE(queue.empty());
}

TEST(PrefetchQueue, ignores_rows_without_bytes) {
  PrefetchQueue queue;
  queue.add({some_address, 3, 64, 0});
  queue.add({some_address, 0, 64, 64});
  EXPECT_TRUE(queue.empty());
}

TEST(PrefetchQueue, continues_in_the_next_row_when_several_lines_are_prefetched_at_a_time) {
  PrefetchQueue queue;
  queue.add({some_address, 3, 4096, 1000});
  for (int i = 0; i < 9; ++i) queue.prefetch(5);
  EXPECT_FALSE(queue.empty());
  queue.prefetch(5);
  EXPECT_TRUE(queue.empty());
}

// 43 complex doubles fill 11 cache lines, but are in 12 unless they start on a line.
TEST(PrefetchQueue, prefetches_one_more_line_where_rows_start_inside_a_line) {
  PrefetchQueue queue;
  queue.add({some_address, 4, 256 * 129 * 16, 43 * 16});
  EXPECT_EQ(lines_left(queue), 4 * 11);
  queue.clear();
  queue.add({some_address, 4, 129 * 16, 43 * 16});
  EXPECT_EQ(lines_left(queue), 4 * 12);
  queue.clear();
  queue.add({address(48), 4, 4096, 43 * 16});
  EXPECT_EQ(lines_left(queue), 4 * 12);
}

TEST(PrefetchQueue, is_empty_when_it_is_cleared) {
  PrefetchQueue queue;
  queue.add({some_address, 2, 4096, 512});
  queue.prefetch(3);
  queue.clear();
  EXPECT_TRUE(queue.empty());
  queue.add({some_address, 1, 0, 512});
  EXPECT_EQ(lines_left(queue), 8);
}

TEST(PrefetchQueue, ignores_rows_when_it_is_full) {
  PrefetchQueue queue;
  int added = 0;
  for (; queue.has_room(); ++added) queue.add({some_address, 1, 0, 128});
  EXPECT_GT(added, 12);
  queue.add({some_address, 1, 0, 128});
  EXPECT_EQ(lines_left(queue), 2 * added);
}

}  // namespace
