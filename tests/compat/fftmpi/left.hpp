// compat/fftmpi/left: the main program of tests: cases, or many plans, of which nothing may be
// left.
#pragma once

#include <malloc.h>
#include <mpi.h>

#include <cstring>
#include <filesystem>
#include <iterator>

#include "cases.hpp"

/// What a process holds.
struct Held {
  long descriptors, communicator;
  std::size_t bytes;
};

inline Held what_is_held() {
  MPI_Comm next;
  MPI_Comm_dup(MPI_COMM_WORLD, &next);
  const long communicator = MPI_Comm_c2f(next);
  MPI_Comm_free(&next);
  const auto open = std::filesystem::directory_iterator("/proc/self/fd");
  return {std::distance(begin(open), end(open)), communicator, mallinfo2().uordblks};
}

/// Makes and destroys 2000 plans, two each time, of sizes that come again, as in programs that plan
/// where they transform.
template <class Work>
void check_many(Findings& findings, const Work& make_and_destroy) {
  const auto some = [&](int times) {
    for (int i = 0; i < times; ++i) make_and_destroy(4 + i % 5);
  };
  some(100);
  const Held before = what_is_held();
  some(900);
  const Held after = what_is_held();
  findings.expect_near(double(after.descriptors), double(before.descriptors), 0, "descriptors");
  findings.expect_near(double(after.communicator), double(before.communicator), 0, "communicators");
  findings.expect_near(double(after.bytes), double(before.bytes), 20e3, "bytes");
}

/// The cases, or the many plans if the program is told `many`. Returns 0 if all was right on all
/// ranks.
template <class Cases, class Work>
int run_program(int argc, char** argv, const Cases& cases, const Work& make_and_destroy) {
  MPI_Init(&argc, &argv);
  Findings findings;
  MPI_Comm_rank(MPI_COMM_WORLD, &findings.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &findings.ranks);
  if (argc > 1 && std::strcmp(argv[1], "many") == 0)
    check_many(findings, make_and_destroy);
  else
    cases(findings);
  int wrong = 0;
  MPI_Allreduce(&findings.wrong, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (findings.rank == 0) std::printf("%d checks on rank 0, %d wrong\n", findings.checks, wrong);
  MPI_Finalize();
  return wrong == 0 && findings.checks > 0 ? 0 : 1;
}
