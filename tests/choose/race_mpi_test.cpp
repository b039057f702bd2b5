// choose/race: how many plans run, and how often, by the time that there is.

#include "weft/choose/race.hpp"

#include <gtest/gtest.h>

#include "support/patience.hpp"
#include "support/problem_of.hpp"
#include "support/world.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/raced_plans.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// The cache that plan number `plan` is told.
std::int64_t cache_of(std::size_t plan) { return static_cast<std::int64_t>(plan + 1) << 16; }

// Several plans for a small field, none of which has run.
Race race_of(std::size_t plans) {
  const auto comm = std::make_shared<const Communicator>(MPI_COMM_WORLD);
  std::vector<Options> all(plans);
  for (std::size_t plan = 0; plan < plans; ++plan) {
    all[plan].effort = Effort::estimate;
    all[plan].progress = Progress::by_calls;
    all[plan].pretend.cache_bytes = cache_of(plan);
  }
  return Race(comm, raced_plans(comm), validated(of({12, 10, 8})), all, 2 * 12 * 10 * 8 * 16);
}

}  // namespace

TEST(Race, runs_all_plans_in_turn_while_there_is_time) {
  Race race = race_of(4);
  ASSERT_TRUE(race.run(endless));
  ASSERT_EQ(race.all().size(), 4);
  for (const Contender& one : race.all()) {
    EXPECT_TRUE(one.times.is_told());
    EXPECT_GT(one.seconds(), 0);
  }
  EXPECT_LE(race.kept().seconds(), race.all().front().seconds());
}

TEST(Race, runs_no_plan_but_the_first_where_there_is_no_time) {
  Race race = race_of(4);
  EXPECT_FALSE(race.run(0));
  EXPECT_GT(race.first_seconds(), 0);
  // Others are left out until there are two: there is no time for these either.
  ASSERT_EQ(race.all().size(), Race::fewest_plans);
  EXPECT_NE(race.all().front().plan, nullptr);
  EXPECT_EQ(race.all().back().plan, nullptr);
  for (const Contender& one : race.all()) EXPECT_EQ(one.times.count(), 0);
  EXPECT_EQ(&race.kept(), &race.all().front());
}

TEST(Race, has_time_for_the_fewest_turns_of_all_in_twice_the_time) {
  EXPECT_TRUE(Race::has_time(/*once=*/1, /*plans=*/4, /*seconds=*/4));
  EXPECT_FALSE(Race::has_time(1, 5, 4));
}

// One run of each takes about as long, the first one longer. So there is time for about 20 plans;
// where the machine becomes busy meanwhile perhaps for none, and never for a thousand.
TEST(Race, leaves_the_last_plans_out) {
  const double once = [] {
    Race race = race_of(2);
    race.run(endless);
    return Communicator(MPI_COMM_WORLD).max(race.kept().seconds());
  }();
  Race race = race_of(1024);
  const bool ran = race.run(20 * once);
  EXPECT_LT(race.all().size(), 1024);
  for (std::size_t plan = 0; plan < race.all().size(); ++plan) {
    EXPECT_EQ(race.all()[plan].options.pretend.cache_bytes, cache_of(plan));
    if (plan < Race::fewest_plans) {
      EXPECT_EQ(race.all()[plan].times.is_told(), ran);
    }
  }
}
