// tests/faults/endless: transforms repeatedly in the shared memory of a node until a run fails; for
// test_killed_rank.py.
// Usage: endless [--late] [RANK [SECONDS]]. With --late, a small field on the late device. Each
// rank says when it runs, and ends with status 3 and what weft told it, without a word to MPI. RANK
// is left without memory in the middle of it. For SECONDS the others then let MPI work, but do not
// look after their run: RANK ends before they do.
#include <sys/resource.h>
#include <unistd.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <weft/weft.hpp>

#include "weft/base/ensure.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/comm/mpi_comm.hpp"

void use_late_device();  // support/late_device

namespace {

constexpr double seconds_at_most = 300;

void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

// weft puts in memory for an array that it cannot share: there will be none.
void allow_no_files() {
  rlimit files{};
  getrlimit(RLIMIT_FSIZE, &files);
  files.rlim_cur = 4096;
  setrlimit(RLIMIT_FSIZE, &files);
}

void let_mpi_work(double seconds) {
  int is_there = 0;
  for (const double began = weft::now(); weft::now() - began < seconds; usleep(1000))
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

// A rank that is left without memory at run 100.
struct Failing {
  int rank = -1;
  double seconds_until_others_look = 0;
};

void transform(int rank, const Failing& failing, bool is_late) {
  const int ranks = weft::Communicator(MPI_COMM_WORLD).size();
  weft::Options options;
  options.threads = 1;
  options.effort = weft::Effort::estimate;
  const std::int64_t extent = is_late ? 12 : 96;
  // Late ranks wait for others before they compute anything.
  options.strategy =
      failing.seconds_until_others_look > 0
          ? fmt::format(
                "fftw | from {0}x1x1 | shared to 1x{0}x1 | fft 2,0 | shared to {0}x1x1 | fft 1",
                ranks)
          : fmt::format("{1} | from {0}x1x1 | fft 2,1 | shared to 1x{0}x1 | fft 0", ranks,
                        is_late ? "late" : "fftw");
  auto plan = weft::Plan(MPI_COMM_WORLD, weft::c2c({extent, extent, extent}), options);
  auto u = plan.make_input();
  auto v = plan.make_output();
  // All ranks have mapped all arrays when they say so.
  plan.forward(u, v);
  plan.backward(v, u);
  plan.forward(u, v);
  say(fmt::format("rank {} process {} runs", rank, getpid()));
  std::vector<std::complex<double>> of_mine(static_cast<std::size_t>(v.size()));
  const double began = weft::now();
  for (int run = 0; weft::now() - began < seconds_at_most; ++run) {
    plan.backward(v, u);
    if (run < 100 || failing.rank < 0) {
      plan.forward(u, v);
      continue;
    }
    if (rank == failing.rank) allow_no_files();
    auto ticket = plan.start_forward(u.data(), of_mine.data());
    if (rank != failing.rank) let_mpi_work(failing.seconds_until_others_look);
    ticket.wait();
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool is_late = argc > 1 && argv[1] == std::string("--late");
  if (is_late) {
    use_late_device();
    --argc;
    ++argv;
  }
  try {
    transform(rank,
              {argc > 1 ? std::atoi(argv[1]) : -1, argc > 2 ? std::strtod(argv[2], nullptr) : 0},
              is_late);
  } catch (const weft::Error& error) {
    say(fmt::format("on rank {}: {}", rank, error.message()));
    std::_Exit(3);
  }
  MPI_Finalize();
}
