// Ahead asks for every line of what is announced, once, and for nothing more.
#include "weft/base/ahead.hpp"

#include <gtest/gtest.h>

namespace {

using namespace weft;

int asks(Ahead& ahead) {
  int count = 0;
  for (; !ahead.is_asked_for(); ++count) ahead.ask();
  return count;
}

TEST(Ahead, two_lines_at_a_time_row_by_row) {
  Ahead ahead;
  EXPECT_EQ(asks(ahead), 0);
  ahead.add({nullptr, 3, 4096, 1000});  // 16 lines a row
  ahead.add({nullptr, 1, 0, 64});
  EXPECT_EQ(asks(ahead), 3 * 8 + 1);
  ahead.ask();
  EXPECT_TRUE(ahead.is_asked_for());
}

TEST(Ahead, forgets_what_was_left_when_it_is_cleared) {
  Ahead ahead;
  ahead.add({nullptr, 2, 4096, 512});
  ahead.ask();
  ahead.clear();
  EXPECT_TRUE(ahead.is_asked_for());
  ahead.add({nullptr, 1, 0, 512});
  EXPECT_EQ(asks(ahead), 4);
}

TEST(Ahead, has_room_for_so_much) {
  Ahead ahead;
  int added = 0;
  for (; ahead.has_room(); ++added) ahead.add({nullptr, 1, 0, 128});
  EXPECT_GT(added, 12);
  ahead.add({nullptr, 1, 0, 128});
  EXPECT_EQ(asks(ahead), added);
}

}  // namespace
