// compat/fftmpi/ending: programs of fftMPI and LAMMPS do not look for errors, so one ends them.
#pragma once

#include <mpi.h>

#include <exception>

namespace weft::bricks {

/// Prints one message and ends all ranks with MPI_Abort. Where an error is that of all ranks, rank
/// 0 of `comm` says it; a rank that is alone with its error says it after a second.
[[noreturn]] void end_program(MPI_Comm comm, const char* text);

/// Prints one message on rank 0 of `comm`; where an error is that of all ranks.
void say(MPI_Comm comm, const char* text);

/// What `work` returns; ends the program if that fails.
template <class Work>
auto or_end(MPI_Comm comm, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    end_program(comm, error.what());
  }
}

}  // namespace weft::bricks
