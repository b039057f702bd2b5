// plan: as many plans at once as an application likes. What the system gives few of, file
// descriptors and communicators, is counted here.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/world.hpp"
#include "weft/plan.hpp"

using namespace weft;
using namespace weft::test;

// ---- MPI's profiling interface: the communicators that are there.

namespace {
int communicators = 0;
}

extern "C" {
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* copy) {
  ++communicators;
  return PMPI_Comm_dup_with_info(comm, info, copy);
}
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
  ++communicators;
  return PMPI_Comm_split(comm, colour, key, part);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++communicators;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}
int MPI_Comm_free(MPI_Comm* comm) {
  --communicators;
  return PMPI_Comm_free(comm);
}
}

namespace {

using Complex = std::complex<double>;
using ComplexPlan = Plan<Complex, Complex>;

int descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<int>(std::distance(begin(all), end(all)));
}

// A plan that has run in both directions and was right: of the constant 1, the spectrum is one
// spike.
std::unique_ptr<ComplexPlan> used_plan(const std::string& exchange) {
  Options options;
  if (exchange == "alltoall")
    options.strategy = fmt::format("fftw | from {0}x1x1 | fft 2,1 | alltoall to 1x{0}x1 | fft 0",
                                   ranks_of_world());
  else
    options.exchange = exchange;
  options.threads = 1;
  options.effort = Effort::estimate;
  auto plan = std::make_unique<ComplexPlan>(MPI_COMM_WORLD, c2c({12, 12, 12}), options);
  auto u = plan->make_input();
  auto v = plan->make_output();
  for (auto [at, x] : u.points()) x = 1;
  plan->forward(u, v);
  for (auto [at, x] : v.points()) {
    const bool is_first = at[0] == 0 && at[1] == 0 && at[2] == 0;
    EXPECT_NEAR(std::abs(x - (is_first ? 1728.0 : 0.0)), 0, 1e-11);
  }
  auto w = plan->make_input();
  plan->backward(v, w);
  EXPECT_LT(max_abs_difference(u, w), 1e-12);
  return plan;
}

class Many : public testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(Many, plans_take_few_communicators_and_no_descriptors) {
  constexpr int count = 40;
  // Exchanges by collectives have one for each direction.
  const int of_a_plan = std::string(GetParam()) == "alltoall" ? 3 : 1;
  std::vector<std::unique_ptr<ComplexPlan>> plans;
  plans.push_back(used_plan(GetParam()));
  const int descriptors_of_one = descriptors(), communicators_of_one = communicators;
  for (int i = 1; i < count; ++i) plans.push_back(used_plan(GetParam()));
  EXPECT_LE(descriptors(), descriptors_of_one);
  EXPECT_EQ(communicators, communicators_of_one + (count - 1) * of_a_plan);
  plans.clear();
  EXPECT_EQ(communicators, communicators_of_one - of_a_plan);
}

INSTANTIATE_TEST_SUITE_P(Plans, Many, testing::Values("", "shared", "node", "p2p", "alltoall"),
                         [](const auto& test) {
                           return std::string(test.param).empty() ? "of_the_planner" : test.param;
                         });
