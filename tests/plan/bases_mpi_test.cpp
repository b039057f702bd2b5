// plan/bases: sines, cosines and Chebyshev polynomials, alone and mixed with Fourier's
// exponentials, against matrices by definition; and what cannot be.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/exchanges_here.hpp"
#include "support/tested_driver.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

constexpr int all_bases = static_cast<int>(Basis::chebyshev_gauss) + 1;

void expect_right_sums(const Problem& problem, const Options& options = quick()) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const auto failure = check_plan(plan, Reference(plan.problem(), 11));
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

// Real to real, real to complex where there is a Fourier axis, and complex to complex.
std::vector<Problem> problems_with(const Bases& bases, const Extents& extents) {
  const bool has_fourier = std::count(bases.begin(), bases.end(), Basis::fourier) > 0;
  std::vector<Problem> all;
  for (const Kind kind : {has_fourier ? Kind::r2c : Kind::r2r, Kind::c2c}) {
    all.push_back(of(extents, kind));
    all.back().bases = bases;
  }
  return all;
}

}  // namespace

// All of 11 x 11 x 11 on one rank, or every thirteenth on a device, whose lines have tests of their
// own; on more ranks, where the lines are the same, few.
TEST(Bases, any_three_along_three_axes) {
  const int step = ranks_of_world() > 1 ? 151 : driver_of_environment().empty() ? 1 : 13;
  for (int number = 0; number < all_bases * all_bases * all_bases; number += step) {
    const Bases bases{static_cast<Basis>(number / all_bases / all_bases),
                      static_cast<Basis>(number / all_bases % all_bases),
                      static_cast<Basis>(number % all_bases)};
    for (const Problem& problem : problems_with(bases, {6, 7, 8})) expect_right_sums(problem);
    if (HasFailure()) return;
  }
}

// On many ranks, where plans take long and lines are the same, every fifth.
TEST(Bases, with_every_norm_precision_and_place) {
  int number = 0;
  for (int b = 1; b < all_bases; ++b)
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
        if (ranks_of_world() > 1 && number++ % 5 != 0) continue;
        Problem problem = of({5, 4, 9}, Kind::r2c);
        problem.bases = {static_cast<Basis>(b), Basis::fourier, static_cast<Basis>(b)};
        problem.norm = norm;
        problem.precision = precision;
        problem.in_place = b % 2 == 0;
        expect_right_sums(problem);
        problem.kind = Kind::r2r;
        problem.bases[1] = static_cast<Basis>(b);
        problem.in_place = !problem.in_place;
        expect_right_sums(problem);
      }
}

TEST(Bases, with_every_exchange_and_engine) {
  for (const auto& exchange : exchanges_here())
    for (const EngineEntry& engine : engines()) {
      if (engine.applies() || (ranks_of_world() > 4 && engine.name != "weft")) continue;
      Problem problem = of({8, 6, 10}, Kind::r2c);
      problem.bases = parse_bases("scf");
      problem.output.form = Distribution::same;
      Options options = quick();
      options.exchange = exchange.name;
      options.engine = engine.name;
      expect_right_sums(problem, options);
      problem.kind = Kind::r2r;
      problem.bases = parse_bases("ssch");
      expect_right_sums(problem, options);
    }
}

TEST(Bases, of_batches_some_axes_short_lines_and_the_way_back_as_forward) {
  Problem batch = of({4, 6, 5}, Kind::r2c);
  batch.batch = 3;
  batch.bases = parse_bases("ffs");
  expect_right_sums(batch);
  Problem some = of({4, 6, 5}, Kind::r2r);
  some.axes = {2, 0};
  some.bases = {Basis::dct1, Basis::fourier, Basis::dst3};
  expect_right_sums(some);
  Problem back = of({4, 6, 5}, Kind::c2r);
  back.bases = parse_bases("fsc");
  expect_right_sums(back);
  expect_right_sums(r2r({1, 1, 3}, Basis::dct3));
  expect_right_sums(r2r<float>({40, 30}, Basis::dst1));
  // A Fourier axis that is split over the ranks, and one that is not Fourier.
  Problem flat = of({1024, 3});
  flat.bases = parse_bases("fs");
  expect_right_sums(flat);
}

TEST(Bases, of_long_lines) { expect_right_sums(r2r({2000}, Basis::dct2)); }

TEST(Bases, measured_plans_and_threads) {
  if (ranks_of_world() > 4) GTEST_SKIP() << "trials of ranks that take turns take seconds";
  Problem problem = of({32, 24, 40}, Kind::r2c);
  problem.bases = parse_bases("sfc");
  Options options;
  options.threads = 2;
  expect_right_sums(problem, options);
  expect_right_sums(r2r({24, 40, 32}, Basis::dct2), options);
}

TEST(Bases, typed_plans_take_real_fields_and_make_them) {
  auto plan = Plan(MPI_COMM_WORLD, r2r({6, 5}, Basis::dct2), quick());
  auto u = plan.make_input();
  auto v = plan.make_output();
  for (auto [at, x] : u.points()) x = 3;
  plan.forward(u, v);
  // A constant has one coefficient: 2 x 2 times its sum.
  for (auto [at, x] : v.points())
    EXPECT_NEAR(x, at[0] == 0 && at[1] == 0 ? 3.0 * 4 * 30 : 0.0, 1e-12);
}

// d/dx of x^3 T_0(y) is 3 x^2: T_3 + 3 T_1 = 4 x^3, and 3 x^2 = 3/2 (T_0 + T_2).
TEST(Bases, chebyshev_coefficients_have_derivatives_along_whole_axes) {
  auto problem = r2r({9, 5}, Basis::chebyshev);
  problem.batch = 2;
  problem.output = {Distribution::brick, {1, ranks_of_world()}};
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  auto u = plan.make_input();
  auto a = plan.make_output();
  for (auto [at, x] : u.points(1)) x = std::pow(std::cos(std::numbers::pi * at[0] / 8), 3);
  plan.forward(u, a);
  differentiate_chebyshev(a, 0, 1);
  for (auto [at, x] : a.points(1))
    EXPECT_NEAR(x, at[1] == 0 && (at[0] == 0 || at[0] == 2) ? 1.5 : 0, 1e-13) << to_string(at);
  for (auto [at, x] : a.points(0)) EXPECT_EQ(x, 0);
  EXPECT_THROW(differentiate_chebyshev(a, 2), Error);
  EXPECT_THROW(differentiate_chebyshev(a, 0, 2), Error);
  if (ranks_of_world() > 1 && !a.boxes().empty() && a.boxes()[0].extent(1) < 5) {
    EXPECT_THROW(differentiate_chebyshev(a, 1), Error);
  }
}

TEST(Bases, that_cannot_be_are_refused) {
  Problem problem = of({6, 1, 4}, Kind::r2r);
  problem.bases = {Basis::dct2, Basis::dct1, Basis::dst1};
  expect_error(planning_error(problem), "axis 1 has 1 point, too few for dct1");
  problem.bases = {Basis::dct2, Basis::dct2};
  expect_error(planning_error(problem), "there are 2 bases for 6x1x4 with 3 axes");
  problem.bases = {Basis::dct2, Basis::fourier, Basis::dst1};
  expect_error(planning_error(problem),
               "axis 1 of r2r is Fourier, which makes real numbers complex");
  problem.axes = {0};
  expect_error(planning_error(problem),
               "axis 2 has the basis dst1, but is not among the transformed");
  problem.axes = {0, 2};
  problem.kind = Kind::r2c;
  expect_error(planning_error(problem), "r2c has no Fourier axis");
  expect_error(planning_error(of({4, 4}, Kind::r2r)),
               "use r2c, or a sine, cosine or Chebyshev basis");
  const AnyPlan plan(MPI_COMM_WORLD, r2r({6, 5}, Basis::dct2), quick());
  EXPECT_THROW(static_cast<void>(plan.wavenumbers(1)), Error);
  Problem mine = of({4, 4, 4});
  if (rank_of_world() > 0) mine.bases = parse_bases("fsf");
  if (ranks_of_world() > 1) expect_error(planning_error(mine), "ranks disagree on the problem");
}

TEST(Bases, are_read_from_texts) {
  EXPECT_EQ(parse_bases("sff"), (Bases{Basis::dst2, Basis::fourier, Basis::fourier}));
  EXPECT_EQ(parse_bases("chff"), (Bases{Basis::chebyshev, Basis::fourier, Basis::fourier}));
  EXPECT_EQ(parse_bases("cch"), (Bases{Basis::dct2, Basis::chebyshev}));
  EXPECT_EQ(parse_bases("dct1,fourier,chebyshev-gauss"),
            (Bases{Basis::dct1, Basis::fourier, Basis::chebyshev_gauss}));
  EXPECT_EQ(parse_bases("chebyshev"), Bases{Basis::chebyshev});
  EXPECT_EQ(parse_bases("fourier"), Bases{Basis::fourier});
  for (const char* wrong : {"sfx", "dct5", "dct2,,dct2", "dct2,", "sine,f", "sh", ""})
    EXPECT_THROW(parse_bases(wrong), Error) << wrong;
}
