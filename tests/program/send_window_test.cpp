// program/send_window: the lowest numbers go first, and few are under way where that is asked for.

#include "weft/program/send_window.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace weft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// An exchange of `count` messages with so many complex numbers each.
ExchangeProgram exchange_of(int count, std::int64_t numbers, bool limits) {
  ExchangeProgram exchange;
  exchange.limits_sends = limits;
  for (int i = 0; i < count; ++i) exchange.sends.push_back({i, 0, 0, 0, numbers, 0});
  return exchange;
}

std::vector<int> taken(SendWindow& window) {
  std::vector<int> numbers;
  for (int next = window.take(); next >= 0; next = window.take()) numbers.push_back(next);
  return numbers;
}

TEST(SendWindow, TakesAllAtOnceWhereNothingIsLimited) {
  SendWindow window(exchange_of(4, 1 << 20, false));
  for (const int number : {3, 0, 2, 1}) window.add(number);
  EXPECT_THAT(taken(window), ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(window.is_empty());
  EXPECT_EQ(window.under_way(), 4);
}

TEST(SendWindow, KeepsTwoLargeMessagesUnderWayTheLowestFirst) {
  SendWindow window(exchange_of(5, 1 << 20, true));
  for (const int number : {4, 2, 3}) window.add(number);
  EXPECT_THAT(taken(window), ElementsAre(2, 3));
  EXPECT_THAT(taken(window), IsEmpty());
  window.add(0);
  window.complete(3);
  EXPECT_THAT(taken(window), ElementsAre(0));
  window.complete(2);
  window.complete(0);
  EXPECT_THAT(taken(window), ElementsAre(4));
  EXPECT_EQ(window.under_way(), 1);
}

TEST(SendWindow, KeepsAnEighthOfAllBytesUnderWayOfManySmallMessages) {
  SendWindow window(exchange_of(64, 16, true));
  for (int number = 0; number < 64; ++number) window.add(number);
  EXPECT_EQ(taken(window).size(), 8U);
}

TEST(SendWindow, IsEmptyWhenARunBegins) {
  SendWindow window(exchange_of(5, 1 << 20, true));
  for (const int number : {0, 1, 2}) window.add(number);
  taken(window);
  window.begin();
  EXPECT_TRUE(window.is_empty());
  EXPECT_EQ(window.under_way(), 0);
  window.add(4);
  EXPECT_THAT(taken(window), ElementsAre(4));
}

}  // namespace
}  // namespace weft
