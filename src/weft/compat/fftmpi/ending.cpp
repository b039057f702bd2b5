// compat/fftmpi/ending: what is printed, by whom, and the end.

#include "weft/compat/fftmpi/ending.hpp"

#include <time.h>

#include <cstdio>
#include <cstdlib>

namespace weft::bricks {

namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

void end_program(MPI_Comm comm, const char* text) {
  if (rank_in(comm) != 0) {
    const timespec second{1, 0};
    nanosleep(&second, nullptr);
  }
  std::fprintf(stderr, "%s\n", text);
  std::fflush(stderr);
  MPI_Abort(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, 1);
  std::abort();
}

void say(MPI_Comm comm, const char* text) {
  if (rank_in(comm) == 0) std::fprintf(stderr, "%s\n", text);
}

}  // namespace weft::bricks
