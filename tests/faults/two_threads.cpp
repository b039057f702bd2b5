// tests/faults/two_threads: two threads of every rank transform with plans of their own, and wait
// in an order in which a thread that blocks in MPI would wait for ever; for test_two_threads.py.
// On even ranks the first thread waits for its transform before the second one starts another; on
// odd ranks the first thread starts only after the second one has finished.

#include <mpi.h>

#include <atomic>
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
  void run() { plan.forward(u.data(), v.data()); }
};

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
      std::atomic<bool> may_begin = rank % 2 == 0;
      std::thread one([&] {
        while (!may_begin) std::this_thread::yield();
        first.run();
      });
      std::thread two([&] {
        // By now the first thread of an even rank waits for ranks that have not begun yet.
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        second.run();
        may_begin = true;
      });
      one.join();
      two.join();
      is_right = is_right && first.v == first.expected && second.v == second.expected;
    }
  }
  MPI_Finalize();
  std::printf(is_right ? "right\n" : "wrong\n");
  return is_right ? 0 : 1;
}
