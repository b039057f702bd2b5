// choose/rehearsal: when whole plans are tried, what is tried, and that results stay right.

#include "weft/choose/rehearsal.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/patience.hpp"
#include "support/whole_here.hpp"
#include "support/world.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/whole_passes.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/fft/processor_family.hpp"
#include "weft/plan/raced_plans.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;
using testing::Not;

namespace {

using Rehearse = MeasuredStrategy (*)(const Rehearsal&, const Blueprint&);

MeasuredStrategy of_stores(const Rehearsal& rehearsal, const Blueprint& blueprint) {
  return rehearsal.of_stores(blueprint, blueprint.strategy, endless);
}
MeasuredStrategy of_walks(const Rehearsal& rehearsal, const Blueprint& blueprint) {
  return rehearsal.of_walks(blueprint, endless);
}

RaceSetting setting_of(const PlanBody& body, const Problem& problem, const Options& options,
                       std::int64_t bytes = 1 << 20) {
  return {body.comm(), raced_plans(body.comm()), problem, options, bytes};
}

// Rehearses what a plan does, and returns the choice, the same on all ranks.
MeasuredStrategy rehearsal_of(Rehearse rehearse, const AnyPlan& plan, const Problem& problem,
                              const Options& options) {
  const PlanBody& body = body_of(plan);
  const Blueprint blueprint =
      Blueprint::of(as_r2c(body.problem()), body.strategy(), body.machine());
  const Rehearsal rehearsal(setting_of(body, problem, options));
  MeasuredStrategy chosen = rehearse(rehearsal, blueprint);
  EXPECT_NO_THROW(require_same(*body.comm(), chosen.tried, "trials"));
  EXPECT_NO_THROW(require_same(*body.comm(), to_string(chosen.strategy), "choice"));
  return chosen;
}

// What `rehearse` found for a plan of `problem`.
MeasuredStrategy expect_right_choice(Rehearse rehearse, const Problem& problem) {
  const Options options = quick();
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  MeasuredStrategy chosen = rehearsal_of(rehearse, plan, problem, options);
  if (chosen.tried.empty()) {
    EXPECT_EQ(to_string(chosen.strategy), to_string(plan.strategy()));
    return chosen;
  }
  // One is kept, and it is what the strategy says.
  const std::string kept = to_string(chosen.strategy) + "  (kept)\n";
  EXPECT_THAT(chosen.tried, HasSubstr(kept));
  EXPECT_EQ(chosen.tried.find("(kept)"), chosen.tried.rfind("(kept)")) << chosen.tried;
  EXPECT_THAT(chosen.tried, HasSubstr(plan.strategy()));
  Options demanding = options;
  demanding.strategy = to_string(chosen.strategy);
  AnyPlan same(MPI_COMM_WORLD, problem, demanding);
  const auto failure = check_plan(same, Reference(validated(problem), 42));
  EXPECT_FALSE(failure) << *failure << "\n" << same.describe(Detail::all);
  return chosen;
}

void expect_rehearsed(const Problem& problem) {
  const MeasuredStrategy stores = expect_right_choice(of_stores, problem);
  EXPECT_THAT(stores.tried, testing::AnyOf(HasSubstr("cached"), HasSubstr("streamed")));
  expect_right_choice(of_walks, problem);
}

}  // namespace

TEST(Rehearsal, keeps_one_of_what_was_tried) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const bool in_place : {false, true}) {
      Problem problem = of({12, 7, 10}, kind);
      problem.in_place = in_place;
      expect_rehearsed(problem);
    }
}

TEST(Rehearsal, knows_batches_four_axes_and_a_part_of_the_axes) {
  Problem batch = of({6, 5, 8});
  batch.batch = 3;
  expect_rehearsed(batch);
  expect_rehearsed(of({4, 3, 5, 6}));
  Problem some = of({6, 5, 8});
  some.axes = {0, 2};
  expect_rehearsed(some);
}

// More ranks than planes, so some have nothing.
TEST(Rehearsal, knows_ranks_without_data_and_boxes_of_ones_own) {
  expect_rehearsed(of({3, 2, 4}));
  Problem problem = of({5, 6, 4});
  std::vector<Box> mine;
  for (std::int64_t plane = rank_of_world(); plane < 5; plane += ranks_of_world())
    mine.push_back({{plane, 0, 0}, {plane + 1, 6, 4}});
  problem.input = Distribution::of_my_boxes(mine);
  expect_rehearsed(problem);
}

TEST(Rehearsal, is_for_data_that_shared_caches_hold_in_part) {
  Machine machine;
  machine.shared_cache_bytes = 1000;
  Problem problem = of({4});
  const Options options;
  const auto with = [&](std::int64_t bytes) {
    return Rehearsal({{}, {}, problem, options, bytes});
  };
  for (const std::int64_t bytes : {250, 1000, 8000})
    EXPECT_TRUE(with(bytes).tells_stores(machine)) << bytes;
  for (const std::int64_t bytes : {0, 249, 8001})
    EXPECT_FALSE(with(bytes).tells_stores(machine)) << bytes;
  // Walks: of one field.
  for (const std::int64_t bytes : {0, 249, 1000}) EXPECT_TRUE(with(bytes).tells_walks(machine));
  EXPECT_FALSE(with(1001).tells_walks(machine));
  problem.batch = 8;
  EXPECT_TRUE(with(8000).tells_walks(machine));
}

// A field in one pass has a candidate in two, and the other way round.
TEST(Rehearsal, tries_joined_and_separate_walks) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    const MeasuredStrategy chosen = expect_right_choice(of_walks, of({12, 7, 10}, kind));
    if (ranks_of_world() > 1) continue;
    EXPECT_THAT(chosen.tried, HasSubstr("fft 2,1,0"));
    EXPECT_THAT(chosen.tried, HasSubstr("fft 2,1 | fft 0"));
  }
}

// Between slabs and back, the contiguous axis may go with either of the other two.
TEST(Rehearsal, tries_other_axes_in_each_pass) {
  Problem problem = of({16, 18, 20}, Kind::c2c);
  problem.input = Distribution::slab;
  problem.output = Distribution::same;
  const MeasuredStrategy chosen = expect_right_choice(of_walks, problem);
  if (ranks_of_world() < 2 || ranks_of_world() > 3) return;
  EXPECT_THAT(chosen.tried, HasSubstr("fft 2,1"));
  EXPECT_THAT(chosen.tried, HasSubstr("fft 0,2"));
}

// The strategies in which oneMKL transforms all that a rank has. Collective.
std::vector<Strategy> whole_passes_of(const Problem& problem, const std::string& asked = "") {
  Options options = quick();
  options.threads = std::max(1, threads_of_whole());
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const PlanBody& body = body_of(plan);
  return whole_passes(
      *body.comm(), Blueprint::of(as_r2c(body.problem()), body.strategy(), body.machine()), asked);
}

TEST(Rehearsal, tries_a_library_where_it_can_transform_all_that_a_rank_has) {
  if (threads_of_whole() == 0) GTEST_SKIP() << "this build has no oneMKL";
  if (ranks_of_world() > 1) return;
  Problem problem = of({12, 7, 10}, Kind::c2r);
  EXPECT_EQ(whole_passes_of(problem, "mkl").size(), 1U);
  EXPECT_EQ(whole_passes_of(problem).size(), is_intel() ? 1U : 0U);
  EXPECT_EQ(whole_passes_of(problem, "fftw").size(), 0U);
  EXPECT_EQ(whole_passes_of(of({100}), "mkl").size(), 0U);
  EXPECT_EQ(whole_passes_of(of({12, 34, 10}), "mkl").size(), 0U) << "oneMKL is inaccurate at 34";
  problem.kind = Kind::r2r;
  problem.bases = {Basis::dct2, Basis::dst2, Basis::dct2};
  EXPECT_EQ(whole_passes_of(problem, "mkl").size(), 0U);
}

TEST(Rehearsal, keeps_a_library_or_what_there_was) {
  if (threads_of_whole() == 0 || ranks_of_world() > 1) return;
  const Problem problem = of({12, 7, 10});
  const Options options = quick();
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const PlanBody& body = body_of(plan);
  const Blueprint blueprint = Blueprint::of(body.problem(), body.strategy(), body.machine());
  const MeasuredStrategy chosen =
      Rehearsal(setting_of(body, problem, options))
          .of_library(blueprint, whole_passes(*body.comm(), blueprint, "mkl"), endless);
  EXPECT_THAT(chosen.tried, HasSubstr(plan.strategy()));
  EXPECT_THAT(chosen.tried, HasSubstr("weft | from 1x1x1 | fft 2,1,0 by mkl whole"));
  EXPECT_THAT(chosen.tried, HasSubstr(to_string(chosen.strategy) + "  (kept)\n"));
}

// Planning tells of it, where there is time.
TEST(Rehearsal, races_a_library_when_a_plan_may_measure) {
  if (threads_of_whole() == 0 || ranks_of_world() > 1) return;
  Options options;
  options.threads = 1;
  options.engine = "mkl";
  EXPECT_TRUE(comes_true([&] {
    const AnyPlan plan(MPI_COMM_WORLD, of({20, 24, 16}), options);
    return plan.describe(Detail::all).find("fft 2,1,0 by mkl whole") != std::string::npos;
  }));
}

// What the rule chooses runs beside what samples chose.
TEST(Rehearsal, tries_the_passes_by_rule) {
  const Problem problem = of({8, 6, 5});
  const AnyPlan plan(MPI_COMM_WORLD, problem, quick());
  const Strategy by_rule = body_of(plan).strategy();
  Strategy by_samples = by_rule;
  for (Stage& stage : by_samples.stages)
    if (auto* pass = std::get_if<PassStage>(&stage)) pass->choice.prefetches = false;
  const Blueprint blueprint = Blueprint::of(plan.problem(), by_samples, body_of(plan).machine());
  const Options options = quick();
  const Rehearsal rehearsal(setting_of(body_of(plan), problem, options));
  const std::string line = "ms  " + to_string(by_rule);
  const auto tells_rule = testing::AnyOf(HasSubstr(line + "\n"), HasSubstr(line + "  (kept)\n"));
  EXPECT_THAT(rehearsal.of_stores(blueprint, by_rule, endless).tried, tells_rule);
  EXPECT_THAT(rehearsal.of_stores(blueprint, by_samples, endless).tried, Not(tells_rule));
}

// All fields of a batch count for stores: these are 64 times as much as the cache.
TEST(Rehearsal, counts_batches) {
  Problem problem = of({16, 16, 16});
  problem.batch = 64;
  Options options;
  options.threads = 1;
  options.pretend.shared_cache_bytes = 2 * 65536;
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_THAT(plan.describe(Detail::all),
              Not(HasSubstr("raced: stores, by runs of the whole plan")));
}

// Runs of the plans that are tried would call the callbacks of other transforms.
TEST(Rehearsal, waits_for_no_transform_that_is_under_way) {
  const Problem problem = of({8, 6, 5});
  AnyPlan plan(MPI_COMM_WORLD, problem, quick());
  const auto from = plan.allocate(plan.input().elements * 16),
             to = plan.allocate(plan.output().elements * 16);
  const Options options = quick();
  bool is_called = false;
  Ticket ticket = plan.start_forward(from.get(), to.get());
  ticket.then([&] { is_called = true; });
  const Blueprint blueprint =
      Blueprint::of(plan.problem(), body_of(plan).strategy(), body_of(plan).machine());
  const MeasuredStrategy chosen =
      of_stores(Rehearsal(setting_of(body_of(plan), problem, options)), blueprint);
  EXPECT_EQ(chosen.tried, "");
  EXPECT_EQ(to_string(chosen.strategy), to_string(plan.strategy()));
  EXPECT_FALSE(is_called);
  ticket.wait();
  EXPECT_TRUE(is_called);
}

TEST(Rehearsal, needs_time_and_memory_or_the_rule_decides) {
  const Options options = quick();
  const Problem problem = of({8, 6, 5});
  AnyPlan plan(MPI_COMM_WORLD, problem, quick());
  const Blueprint blueprint =
      Blueprint::of(plan.problem(), body_of(plan).strategy(), body_of(plan).machine());
  const auto rehearsal = [&](std::int64_t bytes, double seconds) {
    return Rehearsal(setting_of(body_of(plan), problem, options, bytes))
        .of_stores(blueprint, blueprint.strategy, seconds);
  };
  for (const MeasuredStrategy& none :
       {rehearsal(std::int64_t{1} << 50, endless), rehearsal(1, 0)}) {
    EXPECT_EQ(none.tried, "");
    EXPECT_EQ(to_string(none.strategy), to_string(plan.strategy()));
  }
  EXPECT_NE(rehearsal(1, endless).tried, "");
}

TEST(Rehearsal, is_a_part_of_planning_where_plans_may_measure) {
  const Problem problem = of({32, 20, 26});
  Options options;
  options.threads = 1;
  options.pretend.shared_cache_bytes = 2 * 32 * 20 * 26 * 16 / ranks_of_world();
  const char* said = "raced: stores, by runs of the whole plan, there and back, the slowest rank:";
  // Ranks that take turns on the cores, or have too little to do for any trial, do not rehearse,
  // and a busy machine leaves no time for it.
  const auto rehearses = [&] {
    const AnyPlan plan(MPI_COMM_WORLD, problem, options);
    return plan.describe(Detail::all).find(said) != std::string::npos;
  };
  if (ranks_of_world() == 1) {
    EXPECT_TRUE(comes_true(rehearses));
  }
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  options.effort = Effort::estimate;
  const AnyPlan estimated(MPI_COMM_WORLD, problem, options);
  EXPECT_THAT(estimated.describe(Detail::all), Not(HasSubstr(said)));
  options.effort = Effort::measure;
  options.strategy = plan.strategy();
  const AnyPlan demanded(MPI_COMM_WORLD, problem, options);
  EXPECT_THAT(demanded.describe(Detail::all), Not(HasSubstr(said)));
  EXPECT_EQ(demanded.strategy(), plan.strategy());
}
