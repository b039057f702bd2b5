// memory/cache_probe: capacities are found in latencies, and the truth is not contradicted.

#include "weft/memory/cache_probe.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;

// The latencies of a processor: of what exceeds a cache, the part that it holds is hit.
std::vector<Latency> latencies_of(std::int64_t level_2, std::int64_t level_3, double second,
                                  double third, double memory) {
  std::vector<Latency> all;
  for (std::int64_t bytes = 128 * KiB; bytes <= 48 * MiB;
       bytes = bytes % 3 == 0 ? bytes / 3 * 4 : bytes / 2 * 3) {
    const double in_2 = std::min(1.0, static_cast<double>(level_2) / static_cast<double>(bytes));
    const double in_3 = std::min(1.0, static_cast<double>(level_3) / static_cast<double>(bytes));
    const double beyond = in_3 * third + (1 - in_3) * memory;
    all.push_back({bytes, in_2 * second + (1 - in_2) * beyond});
  }
  return all;
}

}  // namespace

TEST(CacheProbe, finds_the_capacities_of_processors) {
  struct Case {
    std::int64_t level_2, level_3;
    double second, third, memory;
  };
  for (const Case& one : {Case{1 * MiB, 32 * MiB, 4, 14, 110}, Case{512 * KiB, 16 * MiB, 4, 13, 90},
                          Case{2 * MiB, 30 * MiB, 5, 25, 120}, Case{256 * KiB, 8 * MiB, 4, 12, 80},
                          Case{1 * MiB, 6 * MiB, 5, 22, 100}}) {
    const Caches found =
        capacities_of(latencies_of(one.level_2, one.level_3, one.second, one.third, one.memory));
    EXPECT_EQ(confirmed(one.level_2, found.level_2), one.level_2) << found.level_2;
    EXPECT_EQ(confirmed(one.level_3, found.level_3), one.level_3) << found.level_3;
    // What is told wrongly by 16 times is replaced by what is right within a factor of 2.
    for (const double wrong : {16.0, 1 / 16.0}) {
      const auto told = static_cast<std::int64_t>(wrong * static_cast<double>(one.level_3));
      const double ratio =
          static_cast<double>(confirmed(told, found.level_3)) / static_cast<double>(one.level_3);
      EXPECT_GT(ratio, 0.45);
      EXPECT_LT(ratio, 2.1);
    }
  }
}

TEST(CacheProbe, claims_nothing_where_nothing_rises) {
  EXPECT_EQ(capacities_of({}).level_2, 0);
  EXPECT_EQ(capacities_of({{128 * KiB, 4}, {192 * KiB, 4}}).level_2, 0);
  EXPECT_EQ(confirmed(7, 0), 7);
  // A cache that holds all that was walked has at least that capacity.
  EXPECT_EQ(capacities_of(latencies_of(1 * MiB, 512 * MiB, 4, 14, 110)).level_3, 48 * MiB);
}

TEST(CacheProbe, ends_in_time) {
  const auto latencies = measured_latencies(30);
  ASSERT_FALSE(latencies.empty());
  EXPECT_EQ(latencies.front().bytes, 128 * KiB);
  for (std::size_t i = 1; i < latencies.size(); ++i) {
    EXPECT_GT(latencies[i].bytes, latencies[i - 1].bytes);
    EXPECT_GT(latencies[i].nanoseconds, 0);
  }
}

TEST(CacheProbe, measures_again_what_contradicts_the_system_and_keeps_the_fastest_loads) {
  const auto calm = latencies_of(256 * KiB, 16 * MiB, 4, 14, 110);
  const auto disturbed = latencies_of(256 * KiB, 2 * MiB, 4, 14, 110);
  const Caches told{256 * KiB, 16 * MiB};
  int runs = 0;
  CacheProbe at_first([&] { return ++runs == 1 ? disturbed : calm; });
  EXPECT_LT(at_first.capacities({}).level_3, 4 * MiB);  // nothing is contradicted
  EXPECT_GT(at_first.capacities({}).level_3, 0);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(confirmed(told.level_3, at_first.capacities(told).level_3), told.level_3);
  EXPECT_EQ(runs, 2);
  at_first.capacities(told);
  EXPECT_EQ(runs, 2);
  // It believes in the end what is so each time.
  runs = 0;
  CacheProbe always([&] { return ++runs, disturbed; });
  EXPECT_LT(always.capacities(told).level_3, 4 * MiB);
  EXPECT_EQ(runs, 3);
  always.capacities(told);
  EXPECT_EQ(runs, 3);
}

// A process that makes a plan of its own, while others compute nothing, finds the whole cache.
TEST(CacheProbe, measures_anew_where_another_part_is_told) {
  std::int64_t part = 16 * MiB;
  CacheProbe probe([&] { return latencies_of(256 * KiB, part, 4, 14, 110); });
  const Caches alone{256 * KiB, 16 * MiB}, of_eight{256 * KiB, 2 * MiB};
  EXPECT_EQ(confirmed(alone.level_3, probe.capacities(alone).level_3), alone.level_3);
  part = 2 * MiB;
  EXPECT_EQ(confirmed(of_eight.level_3, probe.capacities(of_eight).level_3), of_eight.level_3);
  EXPECT_EQ(confirmed(alone.level_3, probe.capacities(alone).level_3), alone.level_3);
}

}  // namespace weft
