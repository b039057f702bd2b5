// plan/application_threads: threads of the application plan and transform at the same time, each on
// a communicator of its own.
// Keeps: MPI is initialised with MPI_THREAD_MULTIPLE; without it most of these tests are skipped.

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <chrono>
#include <complex>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

// Asked by support/mpi_main.
int wanted_thread_level() { return MPI_THREAD_MULTIPLE; }

namespace {

struct CopyOfWorld {
  MPI_Comm comm = MPI_COMM_NULL;
  CopyOfWorld() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  CopyOfWorld(const CopyOfWorld&) = delete;
  CopyOfWorld& operator=(const CopyOfWorld&) = delete;
  ~CopyOfWorld() { MPI_Comm_free(&comm); }
};

bool has_multiple() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

// What went wrong, if anything did: makes plans and transforms, several times.
std::optional<std::string> plan_and_check(MPI_Comm comm, int number, int node_size) {
  Problem problem;
  problem.extents = {12 + number, 10, 9};
  problem.kind = number % 2 == 0 ? Kind::c2c : Kind::r2c;
  Options options;
  if (node_size > 0) options.pretend.node_sizes = {node_size};
  options.threads = 2;
  const Reference reference(validated(problem), static_cast<std::uint64_t>(number));
  for (int time = 0; time < 3; ++time) {
    AnyPlan plan(comm, problem, options);
    for (int run = 0; run < 3; ++run)
      if (const auto failure = check_plan(plan, reference)) return failure;
  }
  return std::nullopt;
}

void expect_success(const std::vector<std::optional<std::string>>& failures) {
  for (const auto& failure : failures) EXPECT_FALSE(failure) << *failure;
}

}  // namespace

TEST(ApplicationThreads, plan_and_transform_at_the_same_time) {
  if (!has_multiple()) GTEST_SKIP() << "no MPI_THREAD_MULTIPLE";
  for (int node_size : {0, 1}) {
    const CopyOfWorld first, second;
    std::vector<std::optional<std::string>> failures(2);
    std::thread other([&] { failures[1] = plan_and_check(second.comm, 1, node_size); });
    failures[0] = plan_and_check(first.comm, 0, node_size);
    other.join();
    expect_success(failures);
  }
}

TEST(ApplicationThreads, of_a_parallel_region_plan_and_transform_too) {
  if (!has_multiple()) GTEST_SKIP() << "no MPI_THREAD_MULTIPLE";
  const CopyOfWorld first, second;
  std::vector<std::optional<std::string>> failures(2);
#pragma omp parallel num_threads(2)
  {
    const int number = omp_get_thread_num();
    const auto at = static_cast<std::size_t>(number);
    if (omp_get_num_threads() == 2)
      failures[at] = plan_and_check(number == 0 ? first.comm : second.comm, number, 0);
  }
  expect_success(failures);
}

// The other thread ends the run, and is still in its callback when this one waits for it.
TEST(ApplicationThreads, wait_for_callbacks_that_others_are_calling) {
  if (!has_multiple()) GTEST_SKIP() << "no MPI_THREAD_MULTIPLE";
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) progress();
  });
  for (int round = 0; round < 20; ++round) {
    auto plan = std::make_unique<AnyPlan>(MPI_COMM_SELF, c2c({8, 6, 4}));
    std::vector<std::complex<double>> u(192), v(192);
    auto called = std::make_unique<bool>(false);
    Ticket ticket = plan->start_forward(u.data(), v.data());
    ticket.then([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      *called = true;
      throw std::runtime_error("told by the ticket");
    });
    bool is_told = false;
    try {
      if (round % 2 == 0)
        ticket.wait();
      else
        while (!ticket.test()) {
        }
    } catch (const std::runtime_error&) {
      is_told = true;
    }
    EXPECT_TRUE(is_told && *called) << round;
    ticket = plan->start_backward(v.data(), u.data());
    ticket.then([&] { *called = false; });
    ticket = Ticket();
    plan.reset();
    called.reset();  // nobody is calling it any more
  }
  ends = true;
  other.join();
}

// Rank 1 continues its part of the transform only when rank 0 has done another transform in
// another thread, while the first thread of rank 0 waits for rank 1.
TEST(ApplicationThreads, do_not_wait_for_the_transforms_of_others) {
  if (!has_multiple() || ranks_of_world() < 2) GTEST_SKIP() << "one rank or one thread";
  const int rank = rank_of_world();
  Options options;
  options.pretend.node_sizes = {1};
  options.exchange = "p2p";
  Plan plan(MPI_COMM_WORLD, c2c({48, 40, 32}), options);
  Plan alone(MPI_COMM_SELF, c2c({8, 8, 8}));
  auto u = plan.make_input(), v = plan.make_output();
  auto a = alone.make_input(), b = alone.make_output();
  std::thread other;
  if (rank == 0)
    other = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      alone.forward(a, b);
      MPI_Send(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    });
  Ticket ticket = plan.start_forward(u, v);
  if (rank == 1) MPI_Recv(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ticket.wait();
  if (other.joinable()) other.join();
  EXPECT_TRUE(ticket.test());
}
