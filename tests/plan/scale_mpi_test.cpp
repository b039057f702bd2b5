// plan/scale: runs whose results are multiplied by a number of the caller's, against direct sums;
// and what cannot be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/exchanges_here.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

namespace {

RunsOf scaled(double there, double back, Arrays arrays = Arrays::any) {
  RunsOf runs(arrays);
  runs.scale = there;
  runs.scale_back = back;
  return runs;
}

// Several scales one after the other, then none: a run must not remember the one before.
void expect_right_products(const Problem& problem, const Options& options = quick()) {
  const Reference& reference = known_reference(validated(problem), 29);
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  std::vector<std::byte> without, again;
  const auto expect_right = [&](const RunsOf& runs, std::vector<std::byte>* bits = nullptr) {
    const auto failure = check_plan(plan, reference, bits, runs);
    EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
  };
  expect_right(Arrays::of_weft, &without);
  expect_right(scaled(-3, 1.0 / 7, Arrays::of_weft));
  expect_right(scaled(0.25, 1));
  expect_right(scaled(1, -1e-3, Arrays::of_weft));
  expect_right(scaled(0, 1));
  expect_right(Arrays::of_weft, &again);
  EXPECT_TRUE(without == again) << plan.describe(Detail::all);
}

std::vector<Norm> all_norms() { return {Norm::backward, Norm::ortho, Norm::forward, Norm::none}; }

}  // namespace

TEST(Scale, multiplies_the_results_of_all_kinds_in_both_directions) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const bool in_place : {false, true}) {
      Problem problem = of({7, 6, 5}, kind);
      problem.in_place = in_place;
      expect_right_products(problem);
    }
}

TEST(Scale, multiplies_beside_every_norm_in_both_precisions) {
  for (const Norm norm : all_norms())
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      Problem problem = of({5, 4, 9});
      problem.norm = norm;
      problem.precision = precision;
      problem.batch = 2;
      expect_right_products(problem);
    }
}

TEST(Scale, multiplies_with_every_exchange_cut_or_not) {
  for (const ExchangeEntry& entry : exchanges_here())
    for (const int chunks : {1, 4})
      expect_right_products(of({9, 7, 5}),
                            in_chunks(entry.name, entry.name == "alltoallw" ? 1 : chunks));
}

TEST(Scale, multiplies_sums_of_sines_and_cosines_and_coefficients) {
  Problem mixed = of({6, 7, 5}, Kind::r2c);
  mixed.bases = {Basis::fourier, Basis::dct2, Basis::chebyshev};
  expect_right_products(mixed);
  Problem real = of({6, 7, 5}, Kind::r2r);
  real.bases = {Basis::dct1, Basis::dst3, Basis::dct4};
  real.norm = Norm::ortho;
  expect_right_products(real);
}

TEST(Scale, multiplies_what_is_kept_of_a_spectrum) {
  Problem pruned = of({9, 7, 8}, Kind::r2c);
  pruned.modes = {5, 5, 4};
  expect_right_products(pruned);
  Problem waves = of({9, 10, 11});
  waves.cutoff = Cutoff::sphere(3.3);
  expect_right_products(waves);
}

TEST(Scale, multiplies_where_only_some_axes_are_transformed_or_axes_have_one_point) {
  Problem lines = of({5, 6, 7});
  lines.axes = {1};
  expect_right_products(lines);
  expect_right_products(of({1, 1, 1}));
  expect_right_products(of({3}));
}

// In lists of boxes, and with ghost points, which keep their values.
TEST(Scale, leaves_ghost_points_as_they_are) {
  Problem problem = of({8, 6, 5});
  for (Distribution* side : {&problem.input, &problem.output}) {
    *side = Distribution::slab;
    side->storage.before = {1, 0, 1};
    side->storage.after = {0, 2, 0};
  }
  expect_right_products(problem);
}

// A pass that stores without a copy cannot multiply: it makes one then.
TEST(Scale, multiplies_where_passes_store_without_copies) {
  for (const Extents& extents : std::vector<Extents>{{8, 32, 64}, {12, 40, 64}, {64, 9}})
    for (const bool in_place : {false, true}) {
      Problem problem = of(extents);
      problem.output = Distribution::same;
      problem.in_place = in_place;
      Options options = quick();
      Strategy strategy = PlanAccess::body(AnyPlan(MPI_COMM_WORLD, problem, options)).strategy();
      for (Stage& stage : strategy.stages)
        if (auto* pass = std::get_if<PassStage>(&stage))
          pass->choice.loads_directly = pass->choice.stores_directly = true;
      options.strategy = to_string(strategy);
      expect_right_products(problem, options);
    }
}

TEST(Scale, of_one_has_the_bits_of_a_run_without_one) {
  Subject subject(in_chunks("node", 2));
  subject.plan.forward(subject.u, subject.v, 1);
  const auto bytes = static_cast<std::size_t>(subject.plan.output().elements) * 16;
  if (bytes == 0) return;
  EXPECT_EQ(std::memcmp(subject.v.data(), subject.expected.data(), bytes), 0);
}

// Powers of two multiply exactly.
TEST(Scale, is_each_runs_own_when_several_are_in_flight) {
  for (const char* exchange : {"p2p", "node", "alltoallv"}) {
    Subject subject(in_chunks(exchange, 2, 3));
    const std::vector<double> scales{1, -2, 0.5, 4, 1, -1};
    std::vector<Field<std::complex<double>>> results;
    std::vector<Ticket> tickets;
    for (const double scale : scales) {
      results.push_back(subject.plan.make_output());
      tickets.push_back(subject.plan.start_forward(subject.u, results.back(), scale));
    }
    for (auto ticket = tickets.rbegin(); ticket != tickets.rend(); ++ticket) ticket->wait();
    for (std::size_t i = 0; i < scales.size(); ++i)
      for (std::int64_t e = 0; e < subject.plan.output().elements; ++e)
        ASSERT_EQ(results[i].data()[e], scales[i] * subject.expected.data()[e]) << exchange << i;
  }
}

TEST(Scale, is_each_instances_own_in_an_ensemble) {
  Ensemble<std::complex<double>, std::complex<double>> bands(MPI_COMM_WORLD, 3, c2c({5, 6, 7}),
                                                             {EnsemblePolicy::subsets}, quick());
  for (int i = 0; i < bands.size(); ++i) {
    auto u = bands.make_input(i), back = bands.make_input(i);
    auto v = bands.make_output(i);
    for (auto [at, x] : u.points())
      x = {static_cast<double>(at[0] - at[2]), static_cast<double>(at[1])};
    bands.start_forward(i, u, v, 3).wait();
    bands.start_backward(i, v, back, i - 1).wait();
    if (!bands.is_mine(i)) continue;
    for (std::int64_t e = 0; e < bands.any().plan(i).input().elements; ++e)
      ASSERT_LT(std::abs(back.data()[e] - 3.0 * (i - 1) * u.data()[e]), 1e-12);
  }
}

TEST(Scale, that_is_no_finite_number_is_refused) {
  Subject subject(quick());
  for (const double scale : {std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_THAT(message_thrown_by([&] { subject.plan.forward(subject.u, subject.v, scale); }),
                testing::AllOf(HasSubstr("the scale"), HasSubstr("is no finite number\n")));
  subject.plan.forward(subject.u, subject.v);  // nothing has begun, nothing broke
  EXPECT_EQ(subject.difference(), 0);

  Plan plan(MPI_COMM_WORLD, c2c<float>({4, 5, 6}), quick());
  auto u = plan.make_input();
  auto v = plan.make_output();
  EXPECT_THAT(message_thrown_by([&] { plan.forward(u, v, 1e300); }),
              HasSubstr("the scale 1e+300 is no finite number in single precision"));
  plan.forward(u, v, 1e30);
}

TEST(Scale, of_a_plan_without_transforms_is_refused) {
  Problem problem = of({4, 5, 6});
  problem.axes = Axes::none();
  problem.input = Distribution::slab;
  problem.output = Distribution::pencil;
  AnyPlan plan(MPI_COMM_WORLD, problem, quick());
  std::vector<std::complex<double>> u(static_cast<std::size_t>(plan.input().elements)),
      v(static_cast<std::size_t>(plan.output().elements));
  EXPECT_THAT(message_thrown_by([&] { plan.forward(u.data(), v.data(), 2); }),
              HasSubstr("a plan that transforms no axis cannot multiply by the scale 2"));
  plan.forward(u.data(), v.data(), 1);
}

TEST(Scale, that_differs_from_rank_to_rank_is_an_error_on_all) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank cannot disagree";
  for (const char* exchange : {"p2p", "alltoallv", "node"}) {
    Subject subject(in_chunks(exchange, 2));
    never_free(subject.u, subject.v);
    EXPECT_THAT(
        message_thrown_by(
            [&] { subject.plan.forward(subject.u, subject.v, rank_of_world() == 0 ? 2 : 3); }),
        HasSubstr(
            "run 2 of this plan has different scales on different ranks\n  try:   give all ranks"))
        << exchange;
  }
}
