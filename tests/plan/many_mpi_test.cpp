// plan: as many plans at once as an application likes. What the system gives few of, file
// descriptors and communicators, is counted here.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/world.hpp"
#include "weft/device/late.hpp"
#include "weft/plan.hpp"
#include "weft/shared_plan.hpp"

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

// Without those of the memory of late devices: that of other devices has none.
std::int64_t descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  const auto& late = dynamic_cast<LateDriver&>(find_driver("late").get());
  return std::distance(begin(all), end(all)) - late.descriptors();
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
  const std::int64_t descriptors_of_one = descriptors();
  const int communicators_of_one = communicators;
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

namespace {

// Bytes that the C library has handed out and not got back.
std::size_t bytes_in_use() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

Options small_options() {
  Options options;
  options.effort = Effort::estimate;
  options.threads = 1;
  return options;
}

}  // namespace

// The C library hands out no less than 32 bytes, so this is less than anything that is left each
// time. MPI keeps some memory of its first operations, and a little later.
constexpr std::size_t least_left_over = 16;

TEST(Many, plans_one_after_another_leave_nothing) {
  const int count = ranks_of_world() <= 2 ? 2000 : 200;
  const auto make = [](int number) {
    AnyPlan(MPI_COMM_WORLD, c2c({8, 8, 8 + number % 3}), small_options());
  };
  for (int i = 0; i < count / 4; ++i) make(i);
  const std::int64_t descriptors_before = descriptors();
  const int communicators_before = communicators;
  const std::size_t bytes_before = bytes_in_use();
  for (int i = 0; i < count; ++i) make(i);
  EXPECT_EQ(descriptors(), descriptors_before);
  EXPECT_EQ(communicators, communicators_before);
  if (count == 2000) {  // what MPI keeps for messages of more ranks is more than that of 200 plans
    EXPECT_LE(bytes_in_use(), bytes_before + least_left_over * std::size_t(count));
  }
}

TEST(Many, requests_of_a_shared_plan_take_nothing_and_freeing_the_communicator_frees_it) {
  constexpr int count = 2000;
  AnyPlan(MPI_COMM_WORLD, c2c({8, 8, 8}), small_options());
  const std::int64_t descriptors_before = descriptors();
  const int communicators_before = communicators;
  std::size_t bytes_before = 0;
  // MPI keeps some memory of the first communicators.
  for (int round = 0; round < 8; ++round) {
    if (round == 4) bytes_before = bytes_in_use();
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const AnyPlan* const first = shared_plan(comm, c2c({8, 8, 8}), small_options()).get();
    const int communicators_of_one = communicators;
    const std::size_t bytes_of_one = bytes_in_use();
    for (int i = 0; i < count / 4; ++i)
      EXPECT_EQ(shared_plan(comm, c2c({8, 8, 8}), small_options()).get(), first);
    EXPECT_EQ(communicators, communicators_of_one);
    EXPECT_LE(bytes_in_use(), bytes_of_one + least_left_over * count / 4);
    MPI_Comm_free(&comm);
    ++communicators;  // that of MPI_Comm_dup is not counted
  }
  EXPECT_EQ(descriptors(), descriptors_before);
  EXPECT_EQ(communicators, communicators_before);
  EXPECT_LE(bytes_in_use(), bytes_before + 8192);
}
