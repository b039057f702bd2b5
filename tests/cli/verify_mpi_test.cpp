// cli/verify: accepts a correct result, and rejects one with a small error.

#include "weft/cli/verify.hpp"

#include <gtest/gtest.h>

#include "weft/comm/mpi_comm.hpp"
#include "weft/plan.hpp"

namespace weft::cli {
namespace {

template <class In, class Out>
void check_sees_a_relative_error(const TypedProblem<In, Out>& problem, bool backward, double wrong,
                                 double right) {
  Plan<In, Out> plan(MPI_COMM_WORLD, problem);
  auto u = plan.make_input();
  auto v = plan.make_output();
  for (auto [at, x] : u.points()) {
    x = 1;
    for (auto index : at) x = x * In(static_cast<float>(index % 5) - 1.75F);
  }
  plan.forward(u, v);
  if (backward) plan.backward(v, u);
  const Side in{plan.input(), u.data()}, out{plan.output(), v.data()};
  const auto judged = [&] {
    return backward ? verify(Communicator(MPI_COMM_WORLD), plan.any().problem(), true, out, in)
                    : verify(Communicator(MPI_COMM_WORLD), plan.any().problem(), false, in, out);
  };
  const Verdict before = judged();
  EXPECT_LT(before.error, right);
  EXPECT_LE(before.error, before.limit);
  EXPECT_EQ(before.points, 8);
  using Real = decltype(std::abs(In()));
  if (backward)
    for (auto [at, x] : u.points()) x *= static_cast<Real>(1 + wrong);
  else
    for (auto [at, x] : v.points()) x *= static_cast<Real>(1 + wrong);
  EXPECT_GT(judged().error, before.limit);
}

TEST(Verify, sees_a_relative_error_of_1e_8_in_double_precision) {
  check_sees_a_relative_error(c2c({6, 5, 4}), false, 1e-8, 1e-14);
  check_sees_a_relative_error(c2c({6, 5, 4}), true, 1e-8, 1e-14);
  check_sees_a_relative_error(r2c({6, 5, 4}), false, 1e-8, 1e-14);
  check_sees_a_relative_error(c2r({6, 5, 4}), false, 1e-8, 1e-14);
  check_sees_a_relative_error(c2r({6, 5, 7}), false, 1e-8, 1e-14);
}

TEST(Verify, sees_a_relative_error_of_1e_2_in_single_precision) {
  check_sees_a_relative_error(c2c<float>({6, 5, 4}), false, 1e-2, 1e-5);
  check_sees_a_relative_error(r2c<float>({6, 5, 4}), false, 1e-2, 1e-5);
}

TEST(Verify, sums_over_the_transformed_axes_only_and_knows_every_norm) {
  for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none}) {
    auto problem = r2c({6, 5, 4});
    problem.axes = {2, 0};
    problem.norm = norm;
    check_sees_a_relative_error(problem, false, 1e-8, 1e-14);
  }
}

TEST(Verify, sees_nan_wherever_it_is) {
  auto problem = c2c({6, 5, 4});
  problem.axes = {2};
  Plan plan(MPI_COMM_WORLD, problem);
  auto u = plan.make_input();
  auto v = plan.make_output();
  for (auto [at, x] : u.points()) x = 1;
  plan.forward(u, v);
  for (std::int64_t i = 0; i < 5; ++i) {
    for (auto [at, x] : v.points()) x = at == Dims{i, i, 3} ? std::nan("") : at[2] == 0 ? 4 : 0;
    const Verdict verdict = verify(Communicator(MPI_COMM_WORLD), plan.any().problem(), false,
                                   {plan.input(), u.data()}, {plan.output(), v.data()});
    EXPECT_TRUE(std::isnan(verdict.error)) << i;
  }
}

TEST(Verify, takes_an_axis_longer_than_its_table) {
  check_sees_a_relative_error(c2c({140000}), false, 1e-7, 1e-14);
}

}  // namespace
}  // namespace weft::cli
