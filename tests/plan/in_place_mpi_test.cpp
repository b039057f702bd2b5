// plan/in_place: a plan in place takes one array or two, in any run and on any rank, against direct
// sums and with the same bits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
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

// One array, two, two on every other rank, and one again; of weft and of the application.
void is_right_both_ways(Problem problem, const Options& options = quick()) {
  problem.in_place = true;
  const Reference& reference = known_reference(validated(problem), 31);
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  std::vector<std::byte> expected;
  for (const Arrays arrays : {Arrays::of_weft, Arrays::any})
    for (const bool in_two_arrays : {false, true, rank_of_world() % 2 == 0, false}) {
      RunsOf runs(arrays);
      runs.in_two_arrays = in_two_arrays;
      std::vector<std::byte> bits;
      const auto failure = check_plan(plan, reference, &bits, runs);
      ASSERT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
      if (expected.empty()) expected = bits;
      EXPECT_TRUE(bits == expected) << plan.describe(Detail::all);
    }
}

}  // namespace

TEST(InPlace, plans_of_all_kinds_take_one_array_or_two) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const Distribution::Form output : {Distribution::free, Distribution::same}) {
      Problem problem = of({9, 6, 7}, kind);
      problem.output = output;
      is_right_both_ways(problem);
    }
  Problem cosines = of({7, 6, 5}, Kind::r2r);
  cosines.bases = {Basis::dct2, Basis::dst1, Basis::dct3};
  is_right_both_ways(cosines);
}

TEST(InPlace, plans_with_every_exchange_take_one_array_or_two) {
  for (const ExchangeEntry& entry : exchanges_here())
    for (const int chunks : {1, 4})
      for (const Arrays arrays : {Arrays::of_weft, Arrays::any}) {
        Options options = in_chunks(entry.name, entry.name == "alltoallw" ? 1 : chunks);
        options.arrays = arrays;
        Problem problem = of({9, 8, 5});
        problem.output = Distribution::same;
        is_right_both_ways(problem, options);
      }
}

// Where input and output lie differently, and where ranks have nothing of one of them.
TEST(InPlace, plans_whose_sides_lie_differently_take_one_array_or_two) {
  Problem problem = of({9, 7, 8});
  problem.input = Distribution::slab;
  problem.output = Distribution::pencil;
  is_right_both_ways(problem);
  problem = of({2, 7, 8});
  problem.input = Distribution::slab;
  problem.batch = 2;
  is_right_both_ways(problem);
  Options few = quick();
  few.ranks = 1;
  is_right_both_ways(of({5, 4, 6}), few);
}

TEST(InPlace, plans_of_several_nodes_take_one_array_or_two) {
  Options options = quick();
  options.pretend.node_sizes = {2};
  Problem problem = of({8, 7, 6});
  problem.output = Distribution::same;
  is_right_both_ways(problem, options);
  options.exchange = "node";
  options.chunks = 2;
  is_right_both_ways(problem, options);
}

// All of the output is on the last rank, and the others have no array for it.
TEST(InPlace, ranks_without_points_of_one_side_may_give_a_null_pointer_for_it) {
  auto problem = c2c({6, 5, 4});
  problem.in_place = true;
  problem.input = Distribution::pencil;
  std::vector<Box> mine;
  const bool has_output = rank_of_world() == ranks_of_world() - 1;
  if (has_output) mine.push_back({{0, 0, 0}, {6, 5, 4}});
  problem.output = Distribution::of_my_boxes(mine);
  Options options = quick();
  options.in_flight = 2;
  auto plan = Plan(MPI_COMM_WORLD, problem, options);
  std::vector<std::complex<double>> u(6 * 5 * 4), v(has_output ? u.size() : 0);
  std::complex<double>* const output = has_output ? v.data() : nullptr;
  const auto fill = [&] {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = {1.0 + static_cast<double>(i % 7), -0.5};
  };
  fill();
  plan.forward(u.data(), u.data());
  const std::vector<std::complex<double>> expected(
      u.begin(), u.begin() + static_cast<std::ptrdiff_t>(v.size()));
  fill();
  const std::vector<std::complex<double>> given = u;
  plan.forward(u.data(), output);
  EXPECT_TRUE(v == expected);
  std::vector<std::complex<double>> w = u, of_w(v.size());
  std::fill(v.begin(), v.end(), 0.0);
  auto first = plan.start_forward(u.data(), output);
  auto second = plan.start_forward(w.data(), has_output ? of_w.data() : nullptr);
  first.wait();
  second.wait();
  EXPECT_TRUE(v == expected && of_w == expected);
  plan.backward(output, u.data());
  for (std::int64_t i = 0; i < plan.input().elements; ++i)
    EXPECT_NEAR(std::abs(u[static_cast<std::size_t>(i)] - given[static_cast<std::size_t>(i)]), 0,
                1e-13);
}

TEST(InPlace, transforms_of_both_kinds_may_be_in_flight) {
  auto problem = c2c({12, 10, 9});
  problem.in_place = true;
  auto plan = Plan(MPI_COMM_WORLD, problem, in_chunks("node", 2, 2));
  auto u = plan.make_input(), w = plan.make_input();
  for (auto* field : {&u, &w})
    for (auto [at, x] : field->points())
      x = {static_cast<double>(at[0] - 2 * at[1]), static_cast<double>(at[2])};
  auto over_u = plan.output_in(u), apart = plan.make_output(), expected = plan.make_output();
  auto first = plan.start_forward(w, apart, 2);
  auto second = plan.start_forward(u, over_u);
  second.wait();
  first.wait();
  plan.forward(w, expected);
  EXPECT_EQ(max_abs_difference(over_u, expected), 0);
  for (auto [at, x] : expected.points()) x *= 2;
  EXPECT_EQ(max_abs_difference(apart, expected), 0);
}

TEST(InPlace, arrays_that_overlap_in_part_are_refused) {
  auto problem = c2c({12, 10, 9});
  problem.in_place = true;
  problem.output = Distribution::same;
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  const auto elements = static_cast<std::size_t>(plan.input().elements);
  std::vector<std::complex<double>> both(elements + 8);
  EXPECT_THAT(message_thrown_by([&] { plan.forward(both.data(), both.data() + 8); }),
              HasSubstr("input and output overlap: they begin 128 bytes apart"));
}

TEST(InPlace, one_array_is_refused_by_a_plan_that_is_not_in_place) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({12, 10, 9}), quick());
  auto u = plan.make_input();
  EXPECT_THAT(message_thrown_by([&] { plan.forward(u.data(), u.data()); }),
              HasSubstr("the plan is not in place\n  try:   set Problem::in_place: the plan then "
                        "takes one array or two"));
}
