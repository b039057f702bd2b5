// compat/fftw-mpi/wisdom: passes what FFTW has found out for plans of one process to other ranks.
// What weft finds out is the same on all ranks from the start, and kept by `weft tune`.
#pragma once

#include <mpi.h>

namespace weft::compat::fftw {

/// FFTW's functions of one precision, or null where the program has none.
struct WisdomFunctions {
  char* (*exported)();
  int (*imported)(const char*);

  /// Those whose names begin with "fftw_" or "fftwf_".
  static WisdomFunctions of(const char* prefix);
};

/// Gives what rank 0 knows to all ranks. Collective.
void broadcast_wisdom(MPI_Comm comm, const WisdomFunctions& functions);
/// Gives what any rank knows to rank 0. Collective.
void gather_wisdom(MPI_Comm comm, const WisdomFunctions& functions);

}  // namespace weft::compat::fftw
