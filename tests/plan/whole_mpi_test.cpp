// plan/plan: what a rank has between two exchanges, transformed by one call of a library with all
// threads of the rank, against direct sums; and where this cannot be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/whole_here.hpp"
#include "support/world.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/proof/proof.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

namespace {

Options with_threads(int threads) {
  Options options = quick();
  options.threads = threads;
  return options;
}

// The plan by estimate, with whole passes in place of its own. On several ranks those that give
// parts of what they have to others in messages cannot do this.
void is_right(const Problem& problem, const RunsOf& runs = {}) {
  if (threads_of_whole() == 0) GTEST_SKIP() << "this build has no oneMKL";
  const Reference& reference = known_reference(validated(problem), 31);
  // Ranks that share cores wait for each other longer than they compute.
  const int most = ranks_of_world() == 1 ? threads_of_whole() : 1;
  for (int threads = 1; threads <= most; ++threads) {
    Options options = with_threads(threads);
    options.strategy = whole(AnyPlan(MPI_COMM_WORLD, problem, options).strategy());
    if (ranks_of_world() == 1) {
      EXPECT_THAT(options.strategy, HasSubstr("by mkl whole"));
    } else if (planning_error(problem, options) != "no error") {
      continue;
    }
    AnyPlan plan(MPI_COMM_WORLD, problem, options);
    const auto failure = check_plan(plan, reference, nullptr, runs);
    EXPECT_FALSE(failure) << *failure << "\n" << plan.describe();
    const PlanBody& body = body_of(plan);
    EXPECT_NO_THROW(prove(Blueprint::of(as_r2c(body.problem()), body.strategy(), body.machine())));
  }
}

RunsOf scaled(double there, double back) {
  RunsOf runs(Arrays::of_weft);
  runs.scale = there;
  runs.scale_back = back;
  return runs;
}

}  // namespace

// Primes are among these, and fields of which some ranks have nothing.
TEST(Whole, transforms_of_all_kinds_and_lengths_are_right) {
  for (const Extents& extents :
       std::vector<Extents>{{12, 7, 10}, {5, 11, 13}, {7, 30}, {3, 1, 8}, {4, 3, 5, 6}})
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (const bool in_place : {false, true}) {
        if (ranks_of_world() > 1 && extents[0] != 12) continue;
        Problem problem = of(extents, kind);
        problem.in_place = in_place;
        is_right(problem);
      }
}

TEST(Whole, transforms_multiply_by_every_norm_and_scale) {
  if (ranks_of_world() > 1) return;
  for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      for (const Kind kind : {Kind::c2c, Kind::r2c}) {
        Problem problem = of({9, 6, 15}, kind);
        problem.norm = norm;
        problem.precision = precision;
        is_right(problem, scaled(-3, 1.0 / 7));
        problem.in_place = true;
        is_right(problem, scaled(1, 0.3));
      }
}

TEST(Whole, transforms_leave_out_axes_and_repeat_over_batches) {
  if (ranks_of_world() > 1) return;
  Problem batch = of({6, 5, 8}, Kind::r2c);
  batch.batch = 3;
  is_right(batch);
  for (const std::vector<int>& axes : std::vector<std::vector<int>>{{0, 2}, {1, 2}, {0, 1}}) {
    Problem some = of({6, 5, 8});
    some.axes = axes;
    is_right(some);
    some.batch = 2;
    is_right(some, scaled(2, -0.7));
  }
}

TEST(Whole, transforms_in_place_work_on_two_arrays_too) {
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    Problem problem = of({8, 9, 10}, kind);
    problem.in_place = true;
    RunsOf runs(Arrays::any);
    runs.in_two_arrays = rank_of_world() % 2 == 0;
    is_right(problem, runs);
  }
}

// Slabs of a node rest in the user's array, from piece to piece.
TEST(Whole, passes_between_exchanges_within_a_node_are_right) {
  Problem problem = of({12, 24, 10});
  problem.output = Distribution::same;
  is_right(problem);
  problem.in_place = true;
  is_right(problem, scaled(0.5, 3));
}

TEST(Whole, transforms_that_a_library_does_not_have_are_refused) {
  if (threads_of_whole() == 0) GTEST_SKIP() << "this build has no oneMKL";
  if (ranks_of_world() > 1) return;
  const auto error = [](const Problem& problem, const std::string& strategy) {
    Options options = quick();
    options.strategy = strategy;
    return planning_error(problem, options);
  };
  const std::string all_axes = "mkl | from 1x1x1 | fft 2,1,0 whole";
  EXPECT_EQ(error(of({6, 5, 8}), all_axes), "no error");
  EXPECT_THAT(error(of({6, 5, 8}), "fftw | from 1x1x1 | fft 2,1,0 whole"),
              HasSubstr("the engine of axes 2,1,0 has no transform along all of them at once"));
  // oneMKL is inaccurate at 2 x 17.
  EXPECT_THAT(error(of({6, 34, 8}), all_axes),
              HasSubstr("has no transform along all of them at once"));
  Problem cosines = of({6, 5, 8}, Kind::r2r);
  cosines.bases = {Basis::dct2, Basis::dst2, Basis::dct2};
  EXPECT_THAT(
      error(cosines, all_axes),
      HasSubstr("a library cannot transform axes 2,1,0 of rank 0 as a whole: not all of its "
                "transforms are Fourier transforms"));
  Problem pruned = of({6, 5, 8});
  pruned.modes = {4, 5, 6};
  EXPECT_THAT(error(pruned, all_axes), HasSubstr("not all points of its lines are stored"));
  EXPECT_THAT(
      error(of({12}), "mkl | split 0 as 3x4 | from input | fft 0,1 whole | shared to output"),
      HasSubstr("one of its axes is a part of a split one"));
}
