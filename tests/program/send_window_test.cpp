// program/send_window: the lowest numbers go first, and few are under way where that is asked for.

#include "weft/program/send_window.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <vector>

namespace weft {
namespace {

using SendLimit = ExchangeProgram::SendLimit;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

// An exchange of `count` messages with so many complex numbers each.
ExchangeProgram exchange_of(int count, std::int64_t numbers, SendLimit limit, int peers = 1) {
  ExchangeProgram exchange;
  exchange.send_limit = limit;
  for (int i = 0; i < count; ++i) exchange.sends.push_back({i % peers, 0, 0, 0, numbers, 0});
  return exchange;
}

std::vector<int> taken(SendWindow& window) {
  std::vector<int> numbers;
  for (int next = window.take(); next >= 0; next = window.take()) numbers.push_back(next);
  return numbers;
}

TEST(SendWindow, TakesAllAtOnceWhereNothingIsLimited) {
  SendWindow window(exchange_of(4, 1 << 20, SendLimit::none));
  for (const int number : {3, 0, 2, 1}) window.add(number);
  EXPECT_THAT(taken(window), ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(window.is_empty());
  EXPECT_EQ(window.under_way(), 4);
}

TEST(SendWindow, KeepsTwoLargeMessagesUnderWayTheLowestFirst) {
  SendWindow window(exchange_of(5, 1 << 20, SendLimit::of_all));
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
  SendWindow window(exchange_of(64, 16, SendLimit::of_all));
  for (int number = 0; number < 64; ++number) window.add(number);
  EXPECT_EQ(taken(window).size(), 8U);
}

// Messages of 1 MiB to two peers, even numbers to one of them and odd ones to the other.
TEST(SendWindow, LetsALatePeerHoldBackNoMessagesToOthers) {
  SendWindow window(exchange_of(24, 1 << 16, SendLimit::of_each_peer, 2));
  for (int number = 23; number >= 0; --number) window.add(number);
  std::vector<int> first(16);
  std::iota(first.begin(), first.end(), 0);
  EXPECT_THAT(taken(window), UnorderedElementsAreArray(first));
  for (const int number : {1, 3, 5, 7, 9}) {
    EXPECT_THAT(taken(window), IsEmpty());
    window.complete(number);
    if (number < 9) {
      EXPECT_THAT(taken(window), ElementsAre(number + 16));
    }
  }
  EXPECT_THAT(taken(window), IsEmpty());
  window.complete(2);
  EXPECT_THAT(taken(window), ElementsAre(16));
  EXPECT_FALSE(window.is_empty());
}

TEST(SendWindow, HasSixteenLargeMessagesUnderWayToASinglePeer) {
  SendWindow window(exchange_of(20, 1 << 20, SendLimit::of_each_peer));
  for (int number = 0; number < 20; ++number) window.add(number);
  EXPECT_EQ(taken(window).size(), 16U);
}

TEST(SendWindow, HasTwoLargeMessagesUnderWayToEachOfManyPeers) {
  SendWindow window(exchange_of(60, 1 << 20, SendLimit::of_each_peer, 15));
  for (int number = 0; number < 60; ++number) window.add(number);
  EXPECT_EQ(taken(window).size(), 30U);
}

TEST(SendWindow, HasFourMebibytesUnderWayToASinglePeer) {
  SendWindow window(exchange_of(64, 1 << 13, SendLimit::of_each_peer));
  for (int number = 0; number < 64; ++number) window.add(number);
  EXPECT_EQ(taken(window).size(), 32U);
}

TEST(SendWindow, IsEmptyWhenARunBegins) {
  SendWindow window(exchange_of(5, 1 << 20, SendLimit::of_all));
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
