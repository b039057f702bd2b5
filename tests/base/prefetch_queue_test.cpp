// Ahead asks for every line of what is announced, once, and for nothing more.
#include "weft/base/ahead.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace weft;

int asks(Ahead& ahead) {
  int count = 0;
  for (; !ahead.is_asked_for(); ++count) ahead.ask(1);
  return count;
}

const std::byte* address(std::uintptr_t at) { return reinterpret_cast<const std::byte*>(at); }

TEST(Ahead, line_by_line_and_row_by_row) {
  Ahead ahead;
  EXPECT_EQ(asks(ahead), 0);
  ahead.add({nullptr, 3, 4096, 1000});  // 16 lines a row
  ahead.add({nullptr, 1, 0, 64});
  EXPECT_EQ(asks(ahead), 3 * 16 + 1);
  ahead.ask(1);
  EXPECT_TRUE(ahead.is_asked_for());
}

TEST(Ahead, several_lines_at_a_time_go_on_in_the_next_row) {
  Ahead ahead;
  ahead.add({nullptr, 3, 4096, 1000});
  for (int i = 0; i < 9; ++i) ahead.ask(5);
  EXPECT_FALSE(ahead.is_asked_for());
  ahead.ask(5);
  EXPECT_TRUE(ahead.is_asked_for());
}

// 43 complex doubles may lie in 12 cache lines, though 11 would hold them.
TEST(Ahead, rows_that_begin_within_a_cache_line_may_end_in_one_more) {
  Ahead ahead;
  ahead.add({nullptr, 4, 256 * 129 * 16, 43 * 16});
  EXPECT_EQ(asks(ahead), 4 * 11);
  ahead.clear();
  ahead.add({nullptr, 4, 129 * 16, 43 * 16});
  EXPECT_EQ(asks(ahead), 4 * 12);
  ahead.clear();
  ahead.add({address(48), 4, 4096, 43 * 16});
  EXPECT_EQ(asks(ahead), 4 * 12);
}

TEST(Ahead, forgets_what_was_left_when_it_is_cleared) {
  Ahead ahead;
  ahead.add({nullptr, 2, 4096, 512});
  ahead.ask(3);
  ahead.clear();
  EXPECT_TRUE(ahead.is_asked_for());
  ahead.add({nullptr, 1, 0, 512});
  EXPECT_EQ(asks(ahead), 8);
}

TEST(Ahead, has_room_for_so_much) {
  Ahead ahead;
  int added = 0;
  for (; ahead.has_room(); ++added) ahead.add({nullptr, 1, 0, 128});
  EXPECT_GT(added, 12);
  ahead.add({nullptr, 1, 0, 128});
  EXPECT_EQ(asks(ahead), 2 * added);
}

}  // namespace
