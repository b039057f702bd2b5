// plan/guest: weft is a guest in the caller's program - it neither starts nor ends MPI, and what it
// owns may outlive MPI. One process; the order of the steps is the test.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "weft/weft.hpp"

using namespace weft;

TEST(Guest, a_plan_needs_mpi_and_may_outlive_it) {
  const auto make = [] { return std::make_unique<AnyPlan>(MPI_COMM_WORLD, c2c({8, 8, 8})); };
  try {
    make();
    FAIL() << "MPI has not been initialised";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "MPI is not running");
  }
  MPI_Init(nullptr, nullptr);
  std::unique_ptr<AnyPlan> plan;
  for (int plans_before = 0; plans_before < 2; ++plans_before) {
    std::string refused;
    std::thread([&] {
      try {
        make();
      } catch (const Error& error) {
        refused = error.message();
      }
    }).join();
    EXPECT_EQ(refused.rfind("this thread may not call MPI", 0), 0U) << refused;
    plan = make();
  }
  Plan typed(MPI_COMM_WORLD, r2c({8, 8, 8}));
  auto u = typed.make_input();
  auto v = typed.make_output();
  typed.forward(u, v);
  MPI_Finalize();
  plan.reset();  // and typed, u and v at the end of the scope
  EXPECT_THROW(make(), Error);
}
