// replay/flows: what flows that share links take.

#include "weft/replay/flows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "support/dice.hpp"

namespace weft {
namespace {

using test::Dice;
using testing::ElementsAre;
using testing::IsEmpty;

// The numbers of the flows that end next, and when.
std::pair<double, std::vector<int>> next(Flows& flows) {
  const double end = flows.next_end();
  std::vector<int> ended;
  flows.take_ended(ended);
  return {end, ended};
}

TEST(Flows, HaveNoEndWithoutFlows) {
  Flows flows({1.0});
  const auto [end, ended] = next(flows);
  EXPECT_EQ(end, std::numeric_limits<double>::infinity());
  EXPECT_THAT(ended, IsEmpty());
}

TEST(Flows, OneTakesItsBytesOverTheSlowestLink) {
  Flows flows({8.0, 2.0});
  flows.start(3, {0, 1}, 10, 7);
  const auto [end, ended] = next(flows);
  EXPECT_DOUBLE_EQ(end, 3 + 10 / 2.0);
  EXPECT_THAT(ended, ElementsAre(7));
  EXPECT_EQ(flows.count(), 0U);
}

TEST(Flows, ShareALinkAndGetMoreWhenOneHasEnded) {
  Flows flows({10.0});
  flows.start(0, {0}, 10, 0);
  flows.start(0, {0}, 30, 1);
  EXPECT_EQ(next(flows), std::pair(2.0, std::vector{0}));  // 5 bytes per second each
  EXPECT_EQ(next(flows), std::pair(4.0, std::vector{1}));  // 20 left at 10
}

TEST(Flows, ThatBeginLaterSlowDownTheFirst) {
  Flows flows({10.0});
  flows.start(0, {0}, 30, 0);
  flows.start(1, {0}, 5, 1);  // 20 left, 5 each
  EXPECT_EQ(next(flows), std::pair(2.0, std::vector{1}));
  EXPECT_EQ(next(flows), std::pair(3.5, std::vector{0}));
}

// Bertsekas and Gallager's kind of example: what a flow cannot use on one link, others get.
TEST(Flows, AreMaxMinFair) {
  Flows flows({1.0, 2.0});
  flows.start(0, {0, 1}, 1, 0);  // 0.5, limited by link 0
  flows.start(0, {0}, 2, 1);     // 0.5
  flows.start(0, {1}, 3, 2);     // 1.5
  EXPECT_EQ(next(flows), std::pair(2.0, std::vector{0, 2}));
  EXPECT_EQ(next(flows), std::pair(3.0, std::vector{1}));
}

TEST(Flows, EndAtOnceWithoutBytesOrLinks) {
  Flows flows({1.0});
  flows.start(5, {0}, 0, 0);
  flows.start(5, {}, 100, 1);
  flows.start(5, {0}, 2, 2);
  EXPECT_EQ(next(flows), std::pair(5.0, std::vector{0, 1}));
  EXPECT_EQ(next(flows), std::pair(7.0, std::vector{2}));
}

TEST(Flows, EndWithOthersWhereLittleOfThemIsLeft) {
  Flows flows({10.0, 10.0, 10.0}, 0.05);
  flows.start(0, {0}, 100, 0);
  flows.start(0, {1}, 104, 1);
  flows.start(0, {2}, 110, 2);
  EXPECT_EQ(next(flows), std::pair(10.0, std::vector{0, 1}));
  EXPECT_EQ(next(flows), std::pair(11.0, std::vector{2}));
}

TEST(Flows, OfEqualSizeEndTogether) {
  Flows flows({3.0, 7.0, 11.0});
  for (int i = 0; i < 9; ++i) flows.start(0.1, {i % 3 == 2 ? 2 : 0, 1}, 1.0 / 3, i);
  std::size_t ends = 0;
  while (flows.count() > 0) {
    next(flows);
    ++ends;
  }
  EXPECT_LE(ends, 2U);
}

// Rates by raising all that are not limited together, a little at a time; as slow as it is plain.
struct PlainFlow {
  std::vector<int> links;
  double left = 0, rate = 0;
  bool is_limited = false;
};

void find_rates(std::map<int, PlainFlow>& flows, std::vector<double> free) {
  for (auto& [number, flow] : flows) flow.rate = flow.is_limited = 0;
  while (std::any_of(flows.begin(), flows.end(), [](auto& f) { return !f.second.is_limited; })) {
    double step = std::numeric_limits<double>::infinity();
    std::vector<int> users(free.size(), 0);
    for (const auto& [number, flow] : flows)
      if (!flow.is_limited)
        for (const int link : flow.links) ++users[static_cast<std::size_t>(link)];
    for (std::size_t l = 0; l < free.size(); ++l)
      if (users[l] > 0) step = std::min(step, free[l] / users[l]);
    for (auto& [number, flow] : flows)
      if (!flow.is_limited) flow.rate += step;
    for (std::size_t l = 0; l < free.size(); ++l) free[l] -= step * users[l];
    for (auto& [number, flow] : flows)
      for (const int link : flow.links)
        if (free[static_cast<std::size_t>(link)] < 1e-12) flow.is_limited = true;
  }
}

TEST(Flows, EndWhenAPlainCalculationSays) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Dice dice(seed);
    const auto number = [&](int lo, int hi) { return static_cast<double>(dice.between(lo, hi)); };
    std::vector<double> speeds;
    for (int l = 0; l < 6; ++l) speeds.push_back(number(1, 20));
    Flows flows(speeds);
    std::map<int, PlainFlow> plain;
    double time = 0;
    int begun = 0;
    while (begun < 25 || !plain.empty()) {
      find_rates(plain, speeds);
      double end = std::numeric_limits<double>::infinity();
      for (const auto& [n, flow] : plain) end = std::min(end, time + flow.left / flow.rate);
      const double begin = begun < 25 ? time + number(0, 3) * 0.25 : HUGE_VAL;
      if (plain.empty())
        ASSERT_EQ(flows.next_end(), end) << "seed " << seed;
      else
        ASSERT_NEAR(flows.next_end(), end, 1e-9 * (1 + time)) << "seed " << seed;
      const double now = std::min(begin, end);
      for (auto& [n, flow] : plain) flow.left -= flow.rate * (now - time);
      time = now;
      if (begin < end) {
        PlainFlow flow;
        for (int l = 0; l < 6; ++l)
          if (dice.chance(33)) flow.links.push_back(l);
        if (flow.links.empty()) flow.links.push_back(static_cast<int>(dice.between(0, 5)));
        flow.left = number(1, 40);
        flows.start(time, flow.links, flow.left, begun);
        plain[begun++] = flow;
      } else {
        std::vector<int> ended, expected;
        flows.take_ended(ended);
        for (const auto& [n, flow] : plain)
          if (flow.left < 1e-8) expected.push_back(n);
        ASSERT_EQ(ended, expected) << "seed " << seed;
        for (const int n : ended) plain.erase(n);
      }
    }
  }
}

}  // namespace
}  // namespace weft
