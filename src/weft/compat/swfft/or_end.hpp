// compat/swfft/or_end: what is wrong ends the program with its text, as SWFFT's assertions do.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace weft::swfft {

/// Calls `function`; an exception ends all ranks of `comm`.
template <class Function>
void or_end(MPI_Comm comm, const Function& function) {
  try {
    function();
  } catch (const std::exception& error) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    std::fflush(stderr);
    MPI_Abort(comm, 1);
    std::abort();
  }
}

}  // namespace weft::swfft
