// compat/shared/ending: programs of libraries that have no statuses do not look for errors, so one
// ends them.
#pragma once

#include <mpi.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace weft::compat {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &rank);
  return rank;
}

/// Prints one message on rank 0 of `comm`; where an error is that of all ranks.
inline void say(MPI_Comm comm, const char* text) {
  if (rank_in(comm) == 0) std::fprintf(stderr, "%s\n", text);
}

/// Prints one message and ends all ranks with MPI_Abort. Where an error is that of all ranks, rank
/// 0 of `comm` says it; a rank that is alone with its error says it after a second.
[[noreturn]] inline void end_program(MPI_Comm comm, const char* text) {
  const int rank = rank_in(comm);
  if (rank == 0) {
    std::fprintf(stderr, "%s\n", text);
  } else {
    const timespec second{1, 0};
    nanosleep(&second, nullptr);
    std::fprintf(stderr, "rank %d: %s\n", rank, text);
  }
  std::fflush(stderr);
  MPI_Abort(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, 1);
  std::abort();
}

/// What `work` returns; ends the program if that fails.
template <class Work>
auto or_end(MPI_Comm comm, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    end_program(comm, error.what());
  }
}

}  // namespace weft::compat
