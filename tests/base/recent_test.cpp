// base/recent: what is asked once, and again after a second.

#include "weft/base/recent.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

using namespace weft;

TEST(Recent, asks_again_after_a_second_only) {
  Recent<int> recent;
  int asked = 0;
  const auto ask = [&] { return ++asked; };
  EXPECT_EQ(recent.get(ask), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ(recent.get(ask), 2);
}

// On any machine: within a second, which a stopped process may miss, at most one more is asked.
TEST(Recent, answers_many_at_once) {
  Recent<int> recent;
  int asked = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) recent.get([&] { return ++asked; });
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin);
  EXPECT_LE(asked, 1 + seconds.count());
}

TEST(Recent, keeps_nothing_of_what_failed) {
  Recent<int> recent;
  EXPECT_THROW(recent.get([]() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(recent.get([] { return 5; }), 5);
}
