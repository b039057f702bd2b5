// plan/describe: what a plan tells of itself in a few lines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/asked.hpp"
#include "support/wisdom_here.hpp"
#include "support/world.hpp"
#include "weft/comm/cores.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

std::int64_t lines_of(const std::string& text) {
  return 1 + std::count(text.begin(), text.end(), '\n');
}

std::string plural(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

using DescribeRemembered = WisdomHere;

}  // namespace

TEST(Describe, tells_in_six_lines_what_runs_where_how_and_in_how_much_memory) {
  Options options = quick();
  options.pretend.node_sizes = {ranks_of_world()};
  const Plan plan(MPI_COMM_WORLD, r2c({24, 18, 20}), options);
  const std::string text = plan.describe();
  EXPECT_LE(lines_of(text), 6) << text;
  EXPECT_THAT(text, StartsWith("double r2c 24x18x20 over " + plural(ranks_of_world(), "rank") +
                               " on 1 node, 1 thread a rank\nengine:   " + plan.any().engine()));
  EXPECT_THAT(text, HasSubstr("\nstrategy: " + to_string(plan.strategy()) + "\n"));
  EXPECT_THAT(text, HasSubstr("\nchosen:   by prediction"));
  EXPECT_THAT(text, HasSubstr("; nothing was raced\nmemory:   "));
  EXPECT_THAT(text, HasSubstr(" a rank at most, of which input and output take "));
  EXPECT_THAT(plan.describe(Detail::all), HasSubstr("\n  start "));
}

TEST(Describe, tells_that_a_strategy_was_asked_for) {
  Options options = quick();
  options.strategy = AnyPlan(MPI_COMM_WORLD, of({12, 7, 10}), options).strategy();
  const AnyPlan plan(MPI_COMM_WORLD, of({12, 7, 10}), options);
  EXPECT_THAT(plan.describe(), HasSubstr("\nchosen:   as the option strategy says\n"));
}

TEST_F(DescribeRemembered, tells_when_and_where_a_strategy_was_tuned) {
  write(entry_for(of({12, 7, 10}), measuring()));
  const AnyPlan plan(MPI_COMM_WORLD, of({12, 7, 10}), measuring());
  EXPECT_THAT(plan.describe(), HasSubstr("\nchosen:   tuned at "));
  EXPECT_THAT(plan.describe(), HasSubstr("and remembered in "));
  EXPECT_LE(lines_of(plan.describe()), 6) << plan.describe();
}

TEST(Describe, names_all_engines_that_compute) {
  if (ranks_of_world() > 1) GTEST_SKIP() << "the strategy is one of a single rank";
  Options options = quick();
  options.strategy = "weft | from 1x1x1 | fft 2,1,0 by fftw,weft,fftw";
  const AnyPlan plan(MPI_COMM_WORLD, of({6, 8, 10}), options);
  EXPECT_THAT(plan.describe(), HasSubstr("\nengine:   weft, and fftw for some axes\n"));
}

TEST(Describe, tells_nothing_of_choices_where_there_are_none) {
  Distribution slabs = Distribution::slab;
  slabs.storage.before = slabs.storage.after = {1, 1};
  const AnyHalo halo(MPI_COMM_WORLD, {24, 9}, {8, 8}, slabs, Periodic::all(), quick());
  EXPECT_THAT(halo.plan().describe(), Not(HasSubstr("chosen: ")));
  EXPECT_THAT(halo.plan().describe(), HasSubstr("\nmemory: "));
}

// Ranks of a node that work on each other's arrays have to copy those that they cannot map.
TEST(Describe, warns_of_what_makes_runs_slower) {
  Options options = quick();
  options.pretend.node_sizes = {ranks_of_world()};
  options.exchange = ranks_of_world() > 1 ? "shared" : "";
  const AnyPlan plan(MPI_COMM_WORLD, of({12, 7, 10}), options);
  const Communicator world(MPI_COMM_WORLD);
  const bool takes_turns = world.max(std::int64_t{core_share(world).takes_turns}) != 0;
  const bool copies = plan.describe(Detail::all).find("cost an extra copy") != std::string::npos;
  const std::string text = plan.describe();
  EXPECT_EQ(text.find("some ranks take turns on the cores") != std::string::npos, takes_turns);
  EXPECT_EQ(text.find("arrays that weft did not make cost an extra copy") != std::string::npos,
            copies);
  EXPECT_EQ(text.find("\nnote:     ") != std::string::npos, takes_turns || copies) << text;
}
