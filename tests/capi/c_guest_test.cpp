// capi/c_guest: a plan of C may outlive MPI: it then refuses to run, and can be freed. One process;
// the order of the steps is the test.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "weft/weft.h"

using testing::HasSubstr;

TEST(CGuest, a_plan_is_refused_outside_of_mpi_and_may_outlive_it) {
  weft_problem problem{};
  problem.size = sizeof problem;
  problem.axes = 1;
  problem.extents[0] = 16;
  weft_plan *plan = nullptr, *alone = nullptr;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan), WEFT_SYSTEM);
  EXPECT_THAT(weft_last_error(), HasSubstr("MPI is not running"));
  EXPECT_EQ(weft_plan_create_alone(&problem, nullptr, &alone), WEFT_OK);

  MPI_Init(nullptr, nullptr);
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, nullptr, &plan), WEFT_OK);
  std::vector<std::complex<double>> u(16, 1), v(16);
  weft_ticket* ticket = nullptr;
  EXPECT_EQ(weft_start_forward(plan, u.data(), v.data(), 1, &ticket), WEFT_OK);
  MPI_Finalize();

  EXPECT_EQ(weft_wait(&ticket), WEFT_OK);  // MPI_Finalize has completed it
  EXPECT_EQ(v[0], std::complex<double>(16));
  EXPECT_EQ(weft_forward(plan, u.data(), v.data(), 1), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("MPI is not running"));
  EXPECT_EQ(weft_forward(alone, u.data(), v.data(), 1), WEFT_OK);
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
  EXPECT_EQ(weft_plan_free(&alone), WEFT_OK);
  EXPECT_EQ(plan, nullptr);
}
