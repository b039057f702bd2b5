// compute/grain_share: every grain is taken once, by whom it should be.

#include "weft/compute/grain_share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

using namespace weft;

namespace {

using Grains = std::vector<std::size_t>;

Grains all_of(GrainShare& share, int thread) {
  Grains grains;
  while (const auto grain = share.take(thread)) grains.push_back(*grain);
  return grains;
}

Grains early_of(GrainShare& share, int thread) {
  Grains grains;
  while (const auto grain = share.take_early(thread)) grains.push_back(*grain);
  return grains;
}

}  // namespace

TEST(GrainShare, gives_each_thread_consecutive_grains_and_then_the_last_of_others) {
  GrainShare share(3);
  for (int run = 0; run < 2; ++run) {
    share.deal(10, 20, false);
    EXPECT_EQ(share.take(2), 17);
    EXPECT_EQ(share.take(0), 10);
    EXPECT_EQ(all_of(share, 1), (Grains{14, 15, 16, 19, 18, 13, 12, 11}));
    for (const int thread : {0, 1, 2}) EXPECT_EQ(share.take(thread), std::nullopt);
  }
}

TEST(GrainShare, gives_all_threads_the_first_one_left_where_order_matters) {
  GrainShare share(3);
  share.deal(10, 20, true);
  EXPECT_EQ(share.take(2), 10);
  EXPECT_EQ(share.take(0), 11);
  EXPECT_EQ(share.take_early(1), 12);
  EXPECT_EQ(share.take_early(1), 13);
  EXPECT_EQ(share.take_early(1), std::nullopt) << "two for each thread are left";
  EXPECT_EQ(all_of(share, 1), (Grains{14, 15, 16, 17, 18, 19}));
}

TEST(GrainShare, leaves_the_last_ones_to_whom_is_free_first) {
  GrainShare share(2);
  share.deal(0, 10, false);
  EXPECT_EQ(early_of(share, 0), (Grains{0, 1, 2}));
  EXPECT_EQ(all_of(share, 1), (Grains{5, 6, 7, 8, 9, 4, 3}));
  GrainShare alone(1);
  alone.deal(0, 3, false);
  EXPECT_EQ(early_of(alone, 0), (Grains{0, 1, 2}));
}

TEST(GrainShare, of_few_or_no_grains_ends) {
  GrainShare share(4);
  share.deal(5, 6, false);
  EXPECT_EQ(all_of(share, 3), Grains{5});
  share.deal(5, 5, false);
  EXPECT_EQ(share.take(0), std::nullopt);
  share.deal(0, 100, false);
  share.clear();
  EXPECT_EQ(share.take(0), std::nullopt);
  EXPECT_EQ(share.take_early(1), std::nullopt);
}

TEST(GrainShare, gives_every_grain_once_while_threads_take_at_the_same_time) {
  constexpr int threads = 4;
  constexpr std::size_t grains = 20000;
  GrainShare share(threads);
  for (const bool in_order : {false, true}) {
    share.deal(0, grains, in_order);
    std::vector<Grains> taken(threads);
    std::vector<std::thread> running;
    for (int thread = 0; thread < threads; ++thread)
      running.emplace_back([&, thread] {
        Grains& mine = taken[static_cast<std::size_t>(thread)];
        for (auto grain = share.take(thread); grain;) {
          mine.push_back(*grain);
          const auto next = share.take_early(thread);
          grain = next ? next : share.take(thread);
        }
      });
    for (std::thread& thread : running) thread.join();
    Grains all;
    for (const Grains& mine : taken) {
      if (in_order) {
        EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
      }
      all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), grains);
    for (std::size_t i = 0; i < grains; ++i) ASSERT_EQ(all[i], i);
  }
}
