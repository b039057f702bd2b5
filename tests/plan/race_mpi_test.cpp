// plan/race: how many plans run, and how often, by the time that there is.

#include "weft/plan/race.hpp"

#include <gtest/gtest.h>

#include "support/patience.hpp"
#include "support/problem_of.hpp"
#include "support/world.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
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
  return Race(comm, validated(of({12, 10, 8})), all, 2 * 12 * 10 * 8 * 16);
}

}  // namespace

TEST(Race, runs_all_plans_in_turn_while_there_is_time) {
  Race race = race_of(4);
  ASSERT_TRUE(race.run(endless, {.fewest = 2, .most = 3, .hopeless = endless}));
  ASSERT_EQ(race.all().size(), 4);
  for (const Contender& one : race.all()) {
    EXPECT_EQ(one.turns.size(), 3);
    EXPECT_LE(race.fastest().seconds(), one.seconds());
  }
}

TEST(Race, runs_no_plan_but_the_first_where_there_is_no_time) {
  for (const bool may_leave_out : {false, true}) {
    Race race = race_of(4);
    EXPECT_FALSE(race.run(0, {.may_leave_out = may_leave_out}));
    // Others are left out until there are two: there is no time for these either.
    ASSERT_EQ(race.all().size(), may_leave_out ? Race::fewest_plans : 4);
    EXPECT_NE(race.all().front().plan, nullptr);
    for (const Contender& one : race.all()) EXPECT_TRUE(one.turns.empty());
    for (std::size_t other = 1; other < race.all().size(); ++other)
      EXPECT_EQ(race.all()[other].plan, nullptr);
  }
}

TEST(Race, has_time_for_the_fewest_turns_of_all_in_twice_the_time) {
  const Race::Turns turns{.fewest = 2};
  EXPECT_TRUE(Race::has_time(/*once=*/1, /*plans=*/4, /*seconds=*/4, turns));
  EXPECT_FALSE(Race::has_time(1, 5, 4, turns));
  EXPECT_FALSE(Race::has_time(1, 4, 4, {.fewest = 3}));
}

// One run of each takes about as long, the first one longer. So there is time for about 20 plans;
// where the machine becomes busy meanwhile perhaps for none, and never for a thousand.
TEST(Race, leaves_the_last_plans_out) {
  const double once = [] {
    Race race = race_of(2);
    race.run(endless, {.fewest = 9, .most = 9});
    return Communicator(MPI_COMM_WORLD).max(race.fastest().seconds());
  }();
  Race race = race_of(1024);
  const bool ran = race.run(20 * once, {.fewest = 2, .most = 2, .may_leave_out = true});
  EXPECT_LT(race.all().size(), 1024);
  for (std::size_t plan = 0; plan < race.all().size(); ++plan) {
    EXPECT_EQ(race.all()[plan].options.pretend.cache_bytes, cache_of(plan));
    EXPECT_EQ(race.all()[plan].turns.size(), ran ? 2 : 0);
  }
}
