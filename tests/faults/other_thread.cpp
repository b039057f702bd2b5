// tests/faults/other_thread: the last rank starts a transform on a thread that may not call MPI,
// and goes on to MPI_Finalize; for test_threads_and_forks.py. No rank shares memory with another
// one.

#include <mpi.h>

#include <complex>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "weft/weft.hpp"

int main(int argc, char** argv) {
  int level = 0, rank = 0, ranks = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  weft::Options options;
  options.pretend.node_sizes = {1};
  options.effort = weft::Effort::estimate;
  auto plan = std::make_unique<weft::AnyPlan>(MPI_COMM_WORLD, weft::c2c({8, 8, 8}), options);
  std::vector<std::complex<double>> u(static_cast<std::size_t>(plan->input().elements) + 1), v(512);
  const auto transform = [&] {
    try {
      plan->forward(u.data(), v.data());
    } catch (const weft::Error& error) {
      std::printf("rank %d: %s\n", rank, error.message().c_str());
    }
  };
  if (rank == ranks - 1)
    std::thread(transform).join();
  else
    transform();
  std::fflush(stdout);
  MPI_Finalize();
  plan.reset();
}
