// plan/field: what is compared, what is refused, and how fields are walked over.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <limits>
#include <numbers>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

using Complex = std::complex<double>;

// A multiple of every number of ranks, so that all have as much.
constexpr std::int64_t planes = 84;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// The slab of `number` of as many slabs as there are ranks.
Box slab(int number) {
  const std::int64_t thick = planes / ranks_of_world();
  return {{number * thick, 0, 0}, {(number + 1) * thick, 4, 3}};
}

std::string thrown_by(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::invalid) << error.what();
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Field, nan_is_the_largest_value_whichever_rank_has_it) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({planes, 4, 3}), quick());
  auto u = plan.make_input(), v = plan.make_input();
  for (auto [at, x] : u.points()) x = 2;
  EXPECT_EQ(max_abs(u), 2);
  EXPECT_EQ(max_abs_difference(u, v), 2);
  for (std::int64_t plane : {std::int64_t{0}, planes / 2, planes - 1}) {
    for (auto [at, x] : u.points()) x = at == Dims{plane, 1, 1} ? nan_value : 2;
    EXPECT_TRUE(std::isnan(max_abs(u))) << plane;
    EXPECT_TRUE(std::isnan(max_abs_difference(u, v))) << plane;
    EXPECT_TRUE(std::isnan(max_abs_difference(v, u))) << plane;
  }
}

TEST(Field, of_other_boxes_is_refused_though_it_has_as_many_points) {
  if (ranks_of_world() == 1) return;
  auto problem = c2c({planes, 4, 3});
  problem.input = Distribution::slab;
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  problem.input = Distribution::of_my_boxes({slab((rank_of_world() + 1) % ranks_of_world())});
  auto other = Plan(MPI_COMM_WORLD, problem, quick());
  auto u = plan.make_input(), w = other.make_input();
  auto v = plan.make_output();
  ASSERT_EQ(u.size(), w.size());
  const std::string holds = fmt::format("weft: the input holds {} instead of {} on this rank",
                                        to_string(w.boxes()[0]), to_string(u.boxes()[0]));
  expect_error(thrown_by([&] { plan.forward(w, v); }), holds);
  expect_error(thrown_by([&] { plan.start_forward(w, v).wait(); }), holds);
  expect_error(thrown_by([&] { plan.backward(v, w); }), "the output holds");
  expect_error(thrown_by([&] { max_abs_difference(u, w); }), "the fields lie differently: rank 0");
  plan.forward(u, v);  // nothing has been started, so the plan can go on
}

TEST(Field, of_another_size_is_refused_on_all_ranks_though_one_passes_it) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({planes, 4, 3}), quick());
  auto other = Plan(MPI_COMM_WORLD, c2c({planes, 4, 5}), quick());
  auto u = plan.make_input();
  auto v = plan.make_output(), w = other.make_output();
  const bool is_wrong = rank_of_world() == ranks_of_world() - 1;
  expect_error(
      thrown_by([&] { plan.forward(u, is_wrong ? w : v); }),
      is_wrong ? fmt::format("the output is of the grid {}x4x5 instead of {}x4x3", planes, planes)
               : fmt::format("rank {} refused to start run 1 of this plan", ranks_of_world() - 1));
}

TEST(Field, of_another_layout_of_no_plan_and_of_another_batch_are_refused) {
  auto problem = r2c({planes, 4, 6});
  problem.input = Distribution::slab;
  auto apart = Plan(MPI_COMM_WORLD, problem, quick());
  problem.in_place = true;
  auto in_place = Plan(MPI_COMM_WORLD, problem, quick());
  problem.in_place = false;
  problem.batch = 2;
  auto batch = Plan(MPI_COMM_WORLD, problem, quick());
  auto v = apart.make_output();
  auto padded = in_place.make_input();
  expect_error(thrown_by([&] { apart.forward(padded, v); }), "the input lies otherwise in memory");
  expect_error(thrown_by([&] { apart.forward(batch.make_input(), v); }),
               "the input is a batch of 2 instead of 1");
  expect_error(thrown_by([&] { apart.forward(Field<double>(), v); }), "the input is of no plan");
}

TEST(Field, of_another_type_than_the_side_is_refused) {
  AnyPlan plan(MPI_COMM_WORLD, c2c({planes, 4, 3}), quick());
  expect_error(thrown_by([&] { make_field<float>(plan, plan.input()); }),
               "a field of float32 does not hold complex128 elements");
  auto u = make_field<Complex>(plan, plan.input());
  Problem problem = c2c({planes, 4, 3});
  problem.in_place = true;
  AnyPlan in_place(MPI_COMM_WORLD, problem, quick());
  expect_error(thrown_by([&] { make_output_in<double>(in_place, u); }),
               "a field of float64 does not hold complex128 elements");
}

TEST(Field, has_only_the_fields_of_its_batch) {
  auto problem = c2c({planes, 4, 3});
  problem.input = Distribution::slab;
  problem.batch = 2;
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  auto u = plan.make_input();
  EXPECT_EQ(u.points(1).size(), planes * 12 / ranks_of_world());
  EXPECT_EQ(thrown_by([&] { u.points(2); }).substr(0, 43),
            "weft: there is no field 2 in a batch of 2\n ");
  expect_error(thrown_by([&] { u.points(-1); }), "there is no field -1 in a batch of 2");
  // Where ranks name different fields, one of them is wrong, and all are told.
  expect_error(thrown_by([&] { max_abs(u, rank_of_world() == 0 ? 5 : 1); }),
               "there is no field 5 in a batch of 2");
  EXPECT_TRUE(Field<Complex>().points(7).empty()) << "a rank without part in an instance has none";
}

// A const field of a plan in place would be overwritten.
template <class P, class F>
concept TakesOutputIn = requires(const P& plan, F& field) {
  plan.output_in(field);
};
static_assert(TakesOutputIn<Plan<Complex, Complex>, Field<Complex>>);
static_assert(!TakesOutputIn<Plan<Complex, Complex>, const Field<Complex>>);

TEST(InPlace, output_in_is_the_memory_of_an_input_of_this_plan) {
  auto problem = r2c({planes, 4, 3});
  auto apart = Plan(MPI_COMM_WORLD, problem, quick());
  problem.in_place = true;
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  auto u = plan.make_input();
  auto v = plan.output_in(u);
  EXPECT_EQ(static_cast<void*>(u.data()), static_cast<void*>(v.data()));
  auto w = apart.make_input();
  expect_error(thrown_by([&] { apart.output_in(w); }), "the plan is not in place");
  // A field of another plan has no output.
  auto foreign = apart.make_input();
  auto none = plan.output_in(foreign);
  EXPECT_TRUE(none.points().empty() || foreign.share() == plan.input());
}

TEST(PlanOf, axes_have_the_wavenumbers_of_the_spectrum) {
  auto problem = r2c({planes, 6, 8});
  problem.axes = {0, 2, 1};  // axis 1 is halved
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  EXPECT_EQ(plan.wavenumbers(1).size(), 4);
  EXPECT_EQ(plan.wavenumbers(-1)[4], -4);
  const auto kx = plan.wavenumbers(0), ky = plan.wavenumbers(1), kz = plan.wavenumbers(2);
  auto u = plan.make_input(), du = plan.make_input(), answer = plan.make_input();
  auto v = plan.make_output();
  const auto phase = [&](const Dims& at) {
    return 2 * std::numbers::pi *
           (5 * double(at[0]) / double(planes) - 2 * double(at[1]) / 6 + 3 * double(at[2]) / 8);
  };
  for (auto [at, x] : u.points()) x = std::sin(phase(at));
  for (auto [at, x] : answer.points()) x = (5 - 2 * -2 + 3 * 3) * std::cos(phase(at));
  plan.forward(u, v);
  for (auto [k, x] : v.points())
    x *= Complex(0, double(kx[k[0]] - 2 * ky[k[1]] + 3 * kz[k[2]]));  // d/dx - 2 d/dy + 3 d/dz
  plan.backward(v, du);
  EXPECT_LT(max_abs_difference(du, answer), 1e-11);

  problem.axes = {2};
  auto one = Plan(MPI_COMM_WORLD, problem, quick());
  expect_error(thrown_by([&] { one.wavenumbers(0); }),
               fmt::format("axis 0 of {}x6x8 is not transformed", planes));
}
