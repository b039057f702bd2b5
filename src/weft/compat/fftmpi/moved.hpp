// compat/fftmpi/moved: a grid of points of some numbers each, moved from bricks to other bricks, as
// a problem of weft's.
#pragma once

#include <mpi.h>

#include "weft/problem.hpp"

namespace weft::bricks {

/// A redistribution as fftMPI and LAMMPS have it. The bricks of all ranks cover a grid that is
/// nowhere told.
struct Movement {
  Box in, out;      ///< this rank's
  int numbers = 1;  ///< real numbers of each point
  int permute = 0;  ///< the order of memory of the output
  Precision precision = Precision::double_precision;
};

/// The problem without transforms, in place. Collective: the ranks find how large the grid is.
/// Error::invalid for a permutation that does not exist or a point without numbers.
Problem problem_of(MPI_Comm comm, const Movement& movement);

}  // namespace weft::bricks
