// plan/tuning: what is tuned is right, is remembered, and is used again - and only where it fits.

#include "weft/any_plan.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/tuning.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "support/asked.hpp"
#include "support/old_processor.hpp"
#include "support/wisdom_here.hpp"
#include "support/world.hpp"
#include "weft/comm/agreement.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;
using testing::Not;

namespace {

using Tuning = WisdomHere;

void expect_same_on_all_ranks(const AnyPlan& plan) {
  EXPECT_NO_THROW(require_same(Communicator(MPI_COMM_WORLD), plan.strategy(), "strategy"));
}

}  // namespace

TEST_F(Tuning, is_right_and_is_remembered) {
  std::vector<Problem> problems{of({12, 7, 10}), of({9, 10, 8}, Kind::r2c),
                                of({9, 10, 8}, Kind::c2r)};
  problems[0].in_place = true;
  problems[1].batch = 2;
  problems[1].input = Distribution::slab;
  problems[1].output = Distribution::same;
  for (const Problem& problem : problems) {
    AnyPlan first(MPI_COMM_WORLD, problem, tuning());
    EXPECT_THAT(first.describe(Detail::all), HasSubstr("plans raced, there and back"));
    EXPECT_FALSE(is_remembered(first));
    expect_same_on_all_ranks(first);
    expect_right(first);
    for (const Options& options : {tuning(), measuring()}) {
      AnyPlan again(MPI_COMM_WORLD, problem, options);
      EXPECT_TRUE(is_remembered(again)) << again.describe(Detail::all);
      EXPECT_EQ(again.strategy(), first.strategy());
      expect_right(again);
    }
  }
}

TEST_F(Tuning, is_used_for_the_same_problem_and_options_only) {
  const Problem problem = of({12, 7, 10});
  AnyPlan(MPI_COMM_WORLD, problem, tuning());
  ASSERT_TRUE(is_remembered(AnyPlan(MPI_COMM_WORLD, problem, measuring())));
  Problem other = problem;
  other.batch = 2;
  EXPECT_FALSE(is_remembered(AnyPlan(MPI_COMM_WORLD, other, measuring())));
  std::vector<Options> all(6, measuring());
  all[0].exchange = "alltoallv";
  all[1].effort = Effort::estimate;
  all[2].reproducible = true;
  all[3].strategy = AnyPlan(MPI_COMM_WORLD, problem, quick()).strategy();
  all[4].threads = 2;
  all[5].in_flight = 2;
  for (const Options& options : all)
    EXPECT_FALSE(is_remembered(AnyPlan(MPI_COMM_WORLD, problem, options)));
}

// What one rank lists is raced on all.
TEST_F(Tuning, is_right_where_a_processor_lacks_the_usual_engine) {
  const OneOldProcessor old;
  AnyPlan plan(MPI_COMM_WORLD, of({12, 20, 10}), tuning());
  EXPECT_NE(plan.engine(), "weft");
  expect_same_on_all_ranks(plan);
  expect_right(plan);
}

TEST_F(Tuning, is_not_used_where_a_processor_lacks_its_engine) {
  if (ranks() == 1) GTEST_SKIP() << "the only rank has another key without the engine";
  const Problem problem = of({12, 20, 10});
  Options options = tuning();
  AnyPlan(MPI_COMM_WORLD, problem, options);
  EXPECT_TRUE(is_remembered(AnyPlan(MPI_COMM_WORLD, problem, measuring())));
  Wisdom wisdom = read_wisdom(path_);
  if (!wisdom.entries().front().strategy.starts_with("weft ")) GTEST_SKIP() << "no lanes here";
  const OneOldProcessor old;
  AnyPlan plan(MPI_COMM_WORLD, problem, measuring());
  EXPECT_FALSE(is_remembered(plan));
  expect_right(plan);
}

TEST_F(Tuning, is_not_written_where_nothing_is_to_be_remembered) {
  setenv("WEFT_WISDOM", "", 1);
  AnyPlan plan(MPI_COMM_WORLD, of({6, 7, 5}), tuning());
  expect_right(plan);
  EXPECT_FALSE(is_remembered(AnyPlan(MPI_COMM_WORLD, of({6, 7, 5}), measuring())));
}

TEST_F(Tuning, says_before_it_tunes_that_nothing_can_be_remembered) {
  if (rank() == 0) std::filesystem::create_symlink("elsewhere", path_ + ".lock");
  testing::internal::CaptureStderr();
  AnyPlan plan(MPI_COMM_WORLD, of({6, 7, 5}), tuning());
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(told.find("what is tuned will not be remembered: cannot lock the wisdom") !=
                std::string::npos,
            rank() == 0)
      << told;
  EXPECT_EQ(told.find("was tuned"), std::string::npos) << "it is told once: " << told;
  expect_right(plan);
  EXPECT_FALSE(is_remembered(AnyPlan(MPI_COMM_WORLD, of({6, 7, 5}), measuring())));
}

TEST_F(Tuning, does_without_wisdom_that_cannot_be_read) {
  for (const char* text :
       {"{\"weft_wisdom\": 1, \"ent", "{\"weft_wisdom\": 3, \"entries\": []}", "x"}) {
    write(text);
    AnyPlan plan(MPI_COMM_WORLD, of({6, 7, 5}), measuring());
    EXPECT_FALSE(is_remembered(plan));
    expect_right(plan);
  }
  AnyPlan plan(MPI_COMM_WORLD, of({6, 7, 5}), tuning());
  expect_right(plan);
}

TEST_F(Tuning, does_not_run_what_does_not_fit) {
  const Problem problem = of({12, 7, 10});
  AnyPlan(MPI_COMM_WORLD, problem, tuning());
  const std::string tuned = to_text(read_wisdom(path_));
  for (const char* strategy : {"", "weft | from 5x5x5 | fft 2,1,0", "no | from 1x1x1 | fft 0",
                               "weft | from 1x1x1 | fft 2,1 | p2p to 1x1x1 | fft 7"}) {
    Wisdom wisdom = parse_wisdom(tuned);
    WisdomEntry wrong = wisdom.entries().front();
    wrong.strategy = strategy;
    wisdom.learn(wrong);
    write(to_text(wisdom));
    AnyPlan plan(MPI_COMM_WORLD, problem, measuring());
    EXPECT_FALSE(is_remembered(plan)) << strategy;
    expect_right(plan);
  }
}

TEST_F(Tuning, of_ranks_that_disagree_is_an_error_on_all) {
  if (Communicator(MPI_COMM_WORLD).size() < 2) GTEST_SKIP();
  Options options = rank() == 0 ? tuning() : measuring();
  expect_error(planning_error(of({6, 7, 5}), options), "options");
  options = tuning();
  options.tune_seconds = 0.2 + rank();
  expect_error(planning_error(of({6, 7, 5}), options), "options");
}

TEST_F(Tuning, for_no_time_is_an_error) {
  for (const double seconds : {0.0, -1.0, 1e9, std::nan("")}) {
    Options options = tuning();
    options.tune_seconds = seconds;
    expect_error(planning_error(of({6, 7, 5}), options), "tuning for");
  }
}

TEST_F(Tuning, of_a_process_alone_is_remembered_as_well) {
  if (rank() != 0) return;
  AnyPlan first(of({6, 7, 5}), tuning());
  expect_right(first);
  EXPECT_TRUE(is_remembered(AnyPlan(of({6, 7, 5}), measuring())));
}

TEST_F(Tuning, keeps_threads_and_caches_unless_others_are_asked_for) {
  const Problem problem = of({12, 7, 10});
  Options options = measuring();
  options.threads = 0;
  const int untuned_threads = AnyPlan(MPI_COMM_WORLD, problem, options).threads();
  WisdomEntry entry = entry_for(problem, options);
  entry.threads = 1;
  entry.cache_bytes = 1 << 14;
  entry.shared_cache_bytes = 1 << 22;
  write(entry);
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_TRUE(is_remembered(plan)) << plan.describe(Detail::all);
  EXPECT_EQ(plan.threads(), 1);
  EXPECT_EQ(plan.report().machine.cache_bytes, 1 << 14);
  expect_right(plan);
  options.threads = untuned_threads;
  EXPECT_EQ(AnyPlan(MPI_COMM_WORLD, problem, options).threads(), untuned_threads);
}

TEST_F(Tuning, does_not_run_more_threads_than_there_are) {
  AnyPlan untuned(MPI_COMM_WORLD, of({12, 7, 10}), tuning());
  Wisdom wisdom = read_wisdom(path_);
  WisdomEntry entry = wisdom.entries().front();
  entry.threads = 1000;
  wisdom.learn(entry);
  write(to_text(wisdom));
  EXPECT_FALSE(is_remembered(AnyPlan(MPI_COMM_WORLD, of({12, 7, 10}), measuring())));
}

// On nodes of different sizes, some strategies that the ranking lists cannot end in users' arrays.
TEST_F(Tuning, races_only_what_can_run) {
  const int ranks = Communicator(MPI_COMM_WORLD).size();
  if (ranks < 3) GTEST_SKIP();
  Problem problem = of({16, 12, 10});
  problem.output = Distribution::same;
  Options options = tuning();
  options.pretend.node_sizes = {1, ranks - 1};
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_THAT(plan.describe(Detail::all), HasSubstr("plans raced, there and back"));
  expect_right(plan);
}

TEST_F(Tuning, leaves_a_plan_alone_while_other_transforms_are_under_way) {
  AnyPlan other(MPI_COMM_WORLD, of({8, 8, 8}), quick());
  const auto u = other.allocate(other.input().elements * 16);
  const auto v = other.allocate(other.output().elements * 16);
  Ticket ticket = other.start_forward(u.get(), v.get());
  AnyPlan plan(MPI_COMM_WORLD, of({6, 7, 5}), tuning());
  ticket.wait();
  expect_right(plan);
}
