// plan/plan: transforms against direct sums, errors on all ranks, and the invariants of running.

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

void is_right(const Problem& problem, Options options = {}) {
  options.effort = Effort::estimate;
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const Reference& reference = known_reference(validated(problem), 42);
  const auto failure = check_plan(plan, reference);
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

}  // namespace

TEST(Plan, small_and_awkward_shapes) {
  for (const Extents& extents : {Extents{7, 5, 3},
                                 {1, 1, 64},
                                 {96, 1, 24},
                                 {17, 19, 23},
                                 {6, 5, 4, 3},
                                 {101},
                                 {2, 2, 2},
                                 {1},
                                 {360},
                                 {12, 11},
                                 {2, 3, 2, 3, 2, 3, 2, 3}})
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (bool in_place : {false, true}) {
        Problem problem = of(extents, kind);
        problem.in_place = in_place;
        is_right(problem);
        problem.output.form = Distribution::same;
        is_right(problem);
      }
}

TEST(Plan, every_norm_axis_and_precision) {
  for (Norm norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none})
    for (auto precision : {Precision::single_precision, Precision::double_precision})
      for (int axis = 0; axis < 3; ++axis) {
        Problem problem = of({8, 9, 10}, axis == 1 ? Kind::r2c : Kind::c2c);
        problem.norm = norm;
        problem.precision = precision;
        problem.axes = {(axis + 1) % 3, axis};
        is_right(problem);
      }
}

TEST(Plan, batches_move_together) {
  Problem problem = of({9, 8, 7}, Kind::r2c);
  problem.batch = 3;
  is_right(problem);
  problem.output.form = Distribution::brick;
  is_right(problem);
}

TEST(Plan, a_line_longer_than_a_share_is_split) {
  Problem problem = of({4096}, Kind::c2c);
  is_right(problem);
  // Two or three ranks do better to gather such a line.
  if (ranks_of_world() > 3) {
    AnyPlan plan(MPI_COMM_WORLD, of({1 << 16}, Kind::c2c));
    EXPECT_TRUE(body_of(plan).strategy().split) << plan.strategy();
  }
}

TEST(Plan, a_strategy_can_be_demanded) {
  if (ranks_of_world() != 4) return;
  Options options;
  options.strategy =
      "fftw | from 2x2x1 | fft 2 | alltoallv to 2x1x2 | fft 1 | p2p to 1x2x2 | fft 0";
  is_right(of({8, 9, 10}, Kind::c2c), options);
  AnyPlan plan(MPI_COMM_WORLD, of({8, 9, 10}, Kind::c2c), options);
  EXPECT_EQ(to_string(plan.strategy()), options.strategy);
}

// A plane wave has one spike, and everybody knows where.
TEST(Plan, a_plane_wave_is_one_spike) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({16, 12, 10}));
  auto u = plan.make_input();
  auto v = plan.make_output();
  const auto tau = 2 * std::numbers::pi;
  for (auto [at, x] : u.points()) {
    const double phase = tau * (3 * at[0] / 16.0 + 5 * at[1] / 12.0 + 7 * at[2] / 10.0);
    x = {std::cos(phase), std::sin(phase)};
  }
  plan.forward(u, v);
  for (auto [k, x] : v.points()) {
    const bool spike = k[0] == 3 && k[1] == 5 && k[2] == 7;
    EXPECT_NEAR(std::abs(x - (spike ? 1920.0 : 0.0)), 0, 1e-10) << to_string(k);
  }
}

TEST(Plan, trial_runs_change_nothing_but_speed) {
  Options options;
  options.effort = Effort::measure;
  AnyPlan plan(MPI_COMM_WORLD, of({12, 10, 9}, Kind::r2c), options);
  const auto failure = check_plan(plan, known_reference(validated(of({12, 10, 9}, Kind::r2c)), 42));
  EXPECT_FALSE(failure) << *failure;
}

TEST(Plan, fields_and_raw_pointers_are_the_same) {
  auto plan = Plan(MPI_COMM_WORLD, r2c<float>({8, 6, 10}));
  auto u = plan.make_input();
  auto v = plan.make_output(), w = plan.make_output();
  for (auto [at, x] : u.points()) x = static_cast<float>(at[0] + 2 * at[1] - at[2]);
  plan.forward(u, v);
  plan.forward(u.data(), w.data());
  EXPECT_EQ(max_abs_difference(v, w), 0);
  EXPECT_GT(max_abs(v), 0);
}

TEST(Plan, in_place_the_output_is_the_memory_of_the_input_or_other_memory) {
  auto problem = r2c({8, 6, 10});
  problem.in_place = true;
  auto plan = Plan(MPI_COMM_WORLD, problem);
  auto u = plan.make_input();
  for (auto [at, x] : u.points()) x = std::cos(2 * std::numbers::pi * at[2] * 3 / 10.0);
  const auto expect_wave = [](const auto& field) {
    for (auto [k, x] : field.points())
      EXPECT_NEAR(std::abs(x - (k[0] == 0 && k[1] == 0 && k[2] == 3 ? 240.0 : 0.0)), 0, 1e-10);
  };
  auto v = plan.output_in(u);
  plan.forward(u, v);
  expect_wave(v);
  plan.backward(v, u);
  auto elsewhere = plan.make_output();
  plan.forward(u, elsewhere);
  expect_wave(elsewhere);
}

// Invariant 9, guest: the caller's communicator is not used for messages, and may be freed.
TEST(Plan, outlives_the_communicator_it_was_made_with) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  auto plan = Plan(comm, c2c({8, 8, 8}));
  MPI_Comm_free(&comm);
  auto u = plan.make_input();
  auto v = plan.make_output();
  plan.forward(u, v);
}

TEST(PlanErrors, are_those_of_the_problem_on_every_rank) {
  expect_error(planning_error(of({4, 0, 3}, Kind::c2c)), "weft: axis 1 of 4x0x3 has 0 points");
  expect_error(planning_error(of({3037000500, 3037000500}, Kind::c2c)),
               "too many for 64-bit byte counts");
  Problem problem = of({8, 8}, Kind::c2c);
  problem.axes = {0, 2};
  expect_error(planning_error(problem), "axis 2 is out of range for 8x8 with 2 axes");
}

TEST(PlanErrors, one_ranks_wrong_input_is_everybodys_error) {
  if (ranks_of_world() == 1) return;
  const bool last = rank_of_world() == ranks_of_world() - 1;
  expect_error(planning_error(of({8, last ? 9 : 8, 8}, Kind::c2c)),
               fmt::format("ranks disagree on the problem: rank {} has 'double c2c of 8x9x8",
                           ranks_of_world() - 1));
  expect_error(planning_error(of({8, 8, 8}, last ? Kind::r2c : Kind::c2c)),
               "ranks disagree on the problem");
  Options options;
  options.exchange = last ? "p2p" : "alltoallv";
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c), options), "ranks disagree on the options");
}

TEST(PlanErrors, boxes_that_overlap_or_leave_a_hole_are_named) {
  Problem problem = of({8, 8}, Kind::c2c);
  std::vector<std::vector<Box>> of_rank(static_cast<std::size_t>(ranks_of_world()));
  of_rank.back() = {{{0, 0}, {8, 5}}};
  problem.input = Distribution::of_boxes(of_rank);
  expect_error(planning_error(problem), "the input boxes do not cover the grid");
  expect_error(planning_error(problem), "owns [0,8)x[5,8)");
  of_rank.front().push_back({{0, 4}, {8, 8}});
  problem.input = Distribution::of_boxes(of_rank);
  expect_error(planning_error(problem),
               fmt::format("the input boxes overlap: ranks 0 and {} both own "
                           "[0,8)x[4,5)",
                           ranks_of_world() - 1));
}

TEST(PlanErrors, unknown_names_list_those_there_are) {
  Options options;
  options.exchange = "carrier";
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c), options),
               "there is no exchange 'carrier'\n  while: planning c2c 8x8x8 over");
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c), options),
               "one of: shared, node, p2p, alltoallv, alltoall, alltoallw");
  options = {};
  options.engine = "slide rule";
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c), options),
               "there is no engine 'slide rule'");
}

TEST(PlanErrors, a_grid_has_no_negative_parts) {
  Options options;
  options.grid = {-1, -ranks_of_world()};
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c), options), "has -1 ranks along an axis");
}

TEST(PlanErrors, a_pretended_node_size_must_be_everybodys) {
  if (ranks_of_world() == 1) return;
  if (rank_of_world() == 0) setenv("WEFT_NODE_SIZE", "2", 1);
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c)), "ranks disagree on the node size");
  setenv("WEFT_NODE_SIZE", "many", 1);
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c)), "WEFT_NODE_SIZE is 'many'");
  unsetenv("WEFT_NODE_SIZE");
}

TEST(PlanErrors, a_null_communicator_is_refused) {
  try {
    AnyPlan plan(MPI_COMM_NULL, of({8, 8, 8}, Kind::c2c));
    FAIL();
  } catch (const Error& error) {
    expect_error(error.what(), "the communicator is MPI_COMM_NULL");
  }
}

TEST(PlanErrors, a_demanded_strategy_must_solve_the_problem) {
  Options options;
  const auto with = [&](const std::string& strategy) {
    options.strategy = strategy;
    return planning_error(of({8, 8, 8}, Kind::c2c), options);
  };
  expect_error(with("fftw | from 1x1x1 | fft 2"), "it transforms axes 2, not 0,1,2");
  expect_error(with("fftw | from output | fft 2,1,0"), "it starts at the output");
  expect_error(with("fftw | from 1x1x1"), "it has no stages");
  expect_error(with("fftw | from 1x1x1 | p2p to 1x1x1 | fft 2,1,0"), "p2p does not move arrays");
  expect_error(with("fftw | from 1x1x1 | fft 2,1,0 | alltoallw to 1x1x1 | alltoallw to 1x1x1"),
               "it has two exchanges without a pass between them");
  expect_error(with("abacus | from 1x1x1 | fft 2,1,0"), "there is no engine 'abacus'");
}

TEST(PlanErrors, a_grid_must_multiply_to_the_ranks) {
  Options options;
  options.grid = {ranks_of_world(), 2};
  expect_error(planning_error(of({8, 8, 8}, Kind::c2c), options),
               fmt::format("the grid {}x2 has {} parts for {} rank", ranks_of_world(),
                           2 * ranks_of_world(), ranks_of_world()));
}
