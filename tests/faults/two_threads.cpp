// tests/faults/two_threads: a thread waits for a transform that can only end when another thread of
// its process has started a second one; for test_threads_and_forks.py. On an even number of ranks.
// An odd rank starts the first transform and then, outside of weft, waits for a message from the
// even rank before it. That rank sends it when its second thread has started the second transform,
// while its first thread waits for the first one.

#include <mpi.h>

#include <chrono>
#include <complex>
#include <cstdio>
#include <thread>
#include <vector>

#include "weft/weft.hpp"

namespace {

using Values = std::vector<std::complex<double>>;

struct Subject {
  weft::AnyPlan plan;
  Values u, v, expected;

  Subject(const weft::Extents& extents, const weft::Options& options)
      : plan(MPI_COMM_WORLD, weft::c2c(extents), options),
        u(static_cast<std::size_t>(plan.input().elements)),
        v(static_cast<std::size_t>(plan.output().elements)),
        expected(v) {
    for (auto [at, x] : weft::Points<std::complex<double>>(u.data(), plan.input()))
      x = {static_cast<double>(at[0] + 2 * at[1]), 1.0 / static_cast<double>(1 + at[2])};
    plan.forward(u.data(), expected.data());
  }
};

void on_even_rank(Subject& first, Subject& second, int rank) {
  std::thread one([&] { first.plan.forward(first.u.data(), first.v.data()); });
  std::thread two([&] {
    // By now the first thread waits.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    auto ticket = second.plan.start_forward(second.u.data(), second.v.data());
    MPI_Send(nullptr, 0, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    ticket.wait();
  });
  one.join();
  two.join();
}

void on_odd_rank(Subject& first, Subject& second, int rank) {
  auto ticket = first.plan.start_forward(first.u.data(), first.v.data());
  MPI_Recv(nullptr, 0, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  second.plan.forward(second.u.data(), second.v.data());
  ticket.wait();
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool is_right = true;
  {
    weft::Options options;
    options.exchange = "p2p";  // no shared memory: messages only
    options.threads = 1;
    options.effort = weft::Effort::estimate;
    Subject first({12, 10, 9}, options), second({8, 12, 6}, options);
    for (int round = 0; round < 20; ++round) {
      (rank % 2 == 0 ? on_even_rank : on_odd_rank)(first, second, rank);
      is_right = is_right && first.v == first.expected && second.v == second.expected;
    }
  }
  MPI_Finalize();
  std::printf(is_right ? "right\n" : "wrong\n");
  return is_right ? 0 : 1;
}
