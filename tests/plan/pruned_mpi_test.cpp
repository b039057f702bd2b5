// plan/pruned: transforms of which not all modes are kept, or not all points are stored, against
// direct sums; the 3/2 rule against products of known waves; and what cannot be.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/exchanges_here.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

void expect_right_modes(const Problem& problem, const Options& options = quick()) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const auto failure = check_plan(plan, known_reference(plan.problem(), 17));
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

// A field of 8 x 9 x 10 points of which not all is kept along any axis.
Problem pruned(Kind kind) {
  Problem problem = of({8, 9, 10}, kind);
  problem.modes = {5, 6, 7};
  problem.support = {{1, 0, 3}, {8, 6, 10}};
  return problem;
}

// Bytes that all ranks send from one rank to another in a forward transform.
}  // namespace

// Even and odd numbers of modes of even and odd numbers of points, one mode, and all.
TEST(Pruned, every_number_of_modes_along_an_axis) {
  const int step = ranks_of_world() > 4 ? 3 : 1;
  for (const std::int64_t n : {7, 8})
    for (std::int64_t m = 1; m <= n; m += step)
      for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
        for (const int axis : {0, 1}) {
          Problem problem = of({6, 6}, kind);
          problem.extents[axis] = n;
          problem.modes = problem.extents;
          problem.modes[axis] = m;
          expect_right_modes(problem);
        }
}

TEST(Pruned, every_support_along_an_axis) {
  const int step = ranks_of_world() > 4 ? 3 : 1;
  for (std::int64_t lo = 0; lo < 6; lo += step)
    for (std::int64_t hi = lo + 1; hi <= 6; hi += step)
      for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
        for (const int axis : {0, 1}) {
          Problem problem = of({6, 6}, kind);
          problem.support = Box::whole(problem.extents);
          problem.support.set(axis, {lo, hi});
          expect_right_modes(problem);
        }
}

TEST(Pruned, with_every_exchange_and_engine_in_place_and_not) {
  for (const auto& exchange : exchanges_here())
    for (const EngineEntry& engine : engines()) {
      if (engine.applies() || (ranks_of_world() > 4 && engine.name != "weft")) continue;
      for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        Problem problem = pruned(kind);
        problem.in_place = (ranks_of_world() + static_cast<int>(kind)) % 2 == 0;
        problem.output.form = Distribution::same;
        Options options = quick();
        options.exchange = exchange.name;
        options.engine = engine.name;
        expect_right_modes(problem, options);
      }
    }
}

TEST(Pruned, with_other_bases_norms_precisions_and_batches) {
  for (const char* bases : {"sff", "scf", "chff", "ccch"})
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none}) {
      Problem problem = pruned(std::string(bases) == "ccch" ? Kind::r2r : Kind::r2c);
      problem.bases = parse_bases(bases);
      problem.norm = norm;
      problem.batch = norm == Norm::none ? 3 : 1;
      problem.precision =
          norm == Norm::ortho ? Precision::single_precision : Precision::double_precision;
      expect_right_modes(problem);
    }
}

// Columns that are long enough for weft's own kernels, tiles of several axes, measured plans.
TEST(Pruned, fields_as_long_as_they_are_used) {
  if (ranks_of_world() > 4) GTEST_SKIP() << "direct sums of these take long";
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const Effort effort : {Effort::estimate, Effort::measure}) {
      Problem problem = of({48, 32, 40}, kind);
      problem.modes = {32, 21, 27};
      problem.support = {{0, 8, 0}, {24, 24, 40}};
      Options options = quick();
      options.effort = effort;
      options.threads = 2;
      expect_right_modes(problem, options);
      problem.output.form = Distribution::same;
      options.pretend.cache_bytes = 16384;
      expect_right_modes(problem, options);
    }
}

// As many ranks as planes, of the grid and of the modes.
TEST(Pruned, as_many_ranks_as_planes) {
  const std::int64_t ranks = ranks_of_world();
  Problem problem = of({3 * ranks / 2 + 1, 6, 4}, Kind::r2c);
  problem.modes = {ranks, 4, 3};
  problem.output.form = Distribution::slab;
  expect_right_modes(problem);
  problem = of({ranks, 6, 4}, Kind::r2c);
  problem.modes = {std::max<std::int64_t>(1, 2 * ranks / 3), 4, 3};
  expect_right_modes(problem);
}

TEST(Pruned, leaves_out_what_is_not_kept_and_sends_less) {
  if (ranks_of_world() == 1 || ranks_of_world() > 4)
    GTEST_SKIP() << "one rank sends nothing, and many share few planes unevenly";
  Options options = quick();
  options.exchange = "p2p";
  options.pretend.node_sizes = {1};
  Problem problem = of({16, 16, 16});
  problem.output.form = Distribution::same;
  AnyPlan whole(MPI_COMM_WORLD, problem, options);
  problem.modes = {8, 8, 8};
  problem.output.form = Distribution::slab;
  problem.input.form = Distribution::slab;
  AnyPlan half(MPI_COMM_WORLD, problem, options);
  for (AnyPlan* plan : {&whole, &half}) {
    const auto u = plan->allocate(plan->input().elements * 16);
    const auto v = plan->allocate(plan->output().elements * 16);
    plan->forward(u.get(), v.get());
  }
  // Half of the modes along the axes before the first exchange, and of all before the second.
  EXPECT_LE(bytes_sent(half), bytes_sent(whole) / 3);
  EXPECT_GT(bytes_sent(half), 0);
  EXPECT_EQ(half.output().extents, (Extents{8, 8, 8}));
  EXPECT_EQ(half.wavenumbers(0)[5], -3);
}

// exp(i a x) exp(i b x) is exp(i (a + b) x). On the grid of the modes, what exceeds the highest
// mode comes back as another; on one of 3/2 as many points it is left out.
TEST(Pruned, products_on_a_grid_of_three_halves_have_no_aliases) {
  constexpr std::int64_t m = 9;  // waves -4 to 4
  for (const std::int64_t n : {m, (3 * m + 1) / 2})
    for (std::int64_t a = -4; a <= 4; ++a)
      for (std::int64_t b = ranks_of_world() > 1 ? 4 : -4; b <= 4; ++b) {
        auto problem = c2c({n, 4});
        problem.modes = {m, 4};
        auto plan = Plan(MPI_COMM_WORLD, problem, quick());
        auto u = plan.make_input();
        auto w = plan.make_input();
        auto s = plan.make_output();
        const auto set = [&](std::int64_t wave) {
          for (auto [at, value] : s.points())
            value =
                plan.wavenumbers(0)[at[0]] == wave && at[1] == 0 ? static_cast<double>(4 * n) : 0;
        };
        set(a);
        plan.backward(s, u);
        set(b);
        plan.backward(s, w);
        for (std::int64_t i = 0; i < u.size(); ++i) u.data()[i] *= w.data()[i];
        plan.forward(u, s);
        const bool is_kept = std::abs(a + b) <= m / 2;
        std::int64_t expected = a + b;
        if (!is_kept && n == m) expected += a + b > 0 ? -m : m;
        for (auto [at, value] : s.points()) {
          const bool is_there =
              (is_kept || n == m) && plan.wavenumbers(0)[at[0]] == expected && at[1] == 0;
          EXPECT_NEAR(std::abs(value - (is_there ? 4.0 * static_cast<double>(n) : 0)), 0, 1e-11);
        }
        if (HasFailure()) return;
      }
}

TEST(Pruned, what_cannot_be) {
  Problem problem = of({8, 9});
  problem.modes = {8};
  expect_error(planning_error(problem), "there are 1 numbers of modes for 8x9 with 2 axes");
  problem.modes = {9, 9};
  expect_error(planning_error(problem), "axis 0 of 8x9 cannot keep 9 modes");
  problem.modes = {0, 9};
  expect_error(planning_error(problem), "axis 0 of 8x9 cannot keep 0 modes");
  problem.modes = {4, 9};
  problem.axes = {1};
  expect_error(planning_error(problem), "axis 0 keeps 4 of 8 modes, but is not among");
  problem = of({8, 9});
  problem.support = {{0}, {8}};
  expect_error(planning_error(problem), "the support has 1 axes, but 8x9 has 2");
  problem.support = {{0, 3}, {8, 10}};
  expect_error(planning_error(problem), "the support [0,8)x[3,10) is not a part of 8x9");
  problem.support = {{0, 3}, {8, 3}};
  expect_error(planning_error(problem), "is not a part of 8x9");
  problem.support = {{0, 3}, {8, 5}};
  problem.axes = {0};
  expect_error(planning_error(problem), "is a part of axis 1, which is not among");
  // A larger output does not fit into the boxes of a smaller input.
  problem = of({8, 9});
  problem.support = {{0, 0}, {4, 9}};
  std::vector<std::vector<Box>> all(static_cast<std::size_t>(ranks_of_world()));
  all[0] = {{{0, 0}, {4, 9}}};
  problem.input = Distribution::of_boxes(all);
  problem.output.form = Distribution::same;
  expect_error(planning_error(problem),
               "the output, 8x9, is larger than the input, 4x9, along axis 0");
  // Ranks that do not agree.
  if (ranks_of_world() > 1) {
    problem = of({8, 9});
    problem.modes = {rank_of_world() == 0 ? 4 : 5, 9};
    expect_error(planning_error(problem), "modes");
  }
}
