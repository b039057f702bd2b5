// plan/problem: contradictions that are refused, boxes of one's own, and plans that nothing
// measured decides.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// Every rank has one plane in every `ranks` of them, as boxes of its own.
std::vector<Box> my_planes(const Extents& extents) {
  std::vector<Box> mine;
  for (std::int64_t plane = rank_of_world(); plane < extents[0]; plane += ranks_of_world())
    mine.push_back({{plane, 0, 0}, {plane + 1, extents[1], extents[2]}});
  return mine;
}

template <class In, class Out>
std::string error_of_typed(const TypedProblem<In, Out>& problem) {
  try {
    Plan<In, Out> plan(MPI_COMM_WORLD, problem, quick());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

// The kind and the precision are those of the element types.
template <class Problem>
concept TakesPrecision = requires(Problem& problem) {
  problem.precision = Precision::double_precision;
};
template <class Problem>
concept TakesKind = requires(Problem& problem) {
  problem.kind = Kind::c2r;
};
static_assert(TakesPrecision<Problem> && TakesKind<Problem>);
static_assert(!TakesPrecision<decltype(c2c<float>({1}))> && !TakesKind<decltype(r2c({1}))>);

TEST(TypedProblems, that_were_changed_behind_their_types_are_refused) {
  auto single = c2c<float>({8, 8});
  static_cast<Problem&>(single).precision = Precision::double_precision;
  expect_error(error_of_typed(single),
               "the problem transforms complex128 to complex128, but the plan is of complex64 and "
               "complex64");
  auto real = r2c({8, 8});
  static_cast<Problem&>(real).kind = Kind::c2r;
  expect_error(error_of_typed(real),
               "the problem transforms complex128 to float64, but the plan is of float64 and "
               "complex128");
  try {
    Ensemble instances(MPI_COMM_WORLD, 2, real, EnsemblePolicy::all_ranks, quick());
    FAIL();
  } catch (const Error& error) {
    expect_error(error.what(), "the plan is of float64 and complex128");
  }
}

TEST(ProblemAxes, are_those_named_and_all_if_none_is) {
  auto problem = c2c({6, 8});
  problem.axes = {0};
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  EXPECT_EQ(plan.any().problem().axes, Axes{0});
  problem.axes = {};
  auto all = Plan(MPI_COMM_WORLD, problem, quick());
  EXPECT_EQ(all.any().problem().axes, (Axes{0, 1}));
  problem.axes = {-1};
  auto last = Plan(MPI_COMM_WORLD, problem, quick());
  EXPECT_EQ(last.any().problem().axes, Axes{1});
}

TEST(OwnBoxes, are_gathered_from_all_ranks) {
  const Extents extents{15, 4, 6};
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    Problem problem = of(extents, kind);
    const Problem resolved = validated(problem);
    problem.input = Distribution::of_my_boxes(my_planes(input_extents(resolved)));
    problem.output = Distribution::of_my_boxes(my_planes(output_extents(resolved)));
    AnyPlan plan(MPI_COMM_WORLD, problem, quick());
    EXPECT_EQ(plan.input().boxes, my_planes(input_extents(resolved)));
    EXPECT_EQ(plan.problem().input.boxes_of_rank().size(),
              static_cast<std::size_t>(ranks_of_world()));
    const auto failure = check_plan(plan, known_reference(resolved, 42));
    EXPECT_FALSE(failure) << *failure;
  }
}

TEST(OwnBoxes, that_overlap_or_leave_a_hole_are_everybodys_error) {
  const Extents extents{15, 4, 6};
  const int last = ranks_of_world() - 1;
  auto mine = my_planes(extents);
  if (rank_of_world() == last) mine.front().hi[1] = 3;
  Problem problem = of(extents);
  problem.input = Distribution::of_my_boxes(mine);
  expect_error(planning_error(problem), "the input boxes do not cover the grid");
  mine = my_planes(extents);
  if (rank_of_world() == last) mine.push_back({{0, 0, 0}, {1, 1, 1}});
  problem.input = Distribution::of_my_boxes(mine);
  expect_error(planning_error(problem), "the input boxes overlap");
  if (ranks_of_world() == 1) return;
  problem.input = rank_of_world() == 0 ? Distribution::of_my_boxes(my_planes(extents))
                                       : Distribution(Distribution::slab);
  expect_error(planning_error(problem), "ranks disagree on the problem");
}

TEST(Reproducible, plans_make_no_trial_runs_and_learn_nothing_from_those_of_others) {
  const Extents extents{36, 20, 28};
  const Reference& reference = known_reference(validated(of(extents)), 7);
  const auto bits_of = [&](Effort effort, bool reproducible) {
    Options options;
    options.threads = 1;
    options.engine = "fftw";
    options.effort = effort;
    options.reproducible = reproducible;
    AnyPlan plan(MPI_COMM_WORLD, of(extents), options);
    std::vector<std::byte> bits;
    EXPECT_FALSE(check_plan(plan, reference, &bits, Arrays::of_weft));
    return bits;
  };
  const auto estimated = bits_of(Effort::estimate, false);
  EXPECT_EQ(bits_of(Effort::measure, true), estimated);
  bits_of(Effort::measure, false);
  EXPECT_EQ(bits_of(Effort::measure, true), estimated);
}
