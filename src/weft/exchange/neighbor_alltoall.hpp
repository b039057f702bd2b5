// exchange/neighbor_alltoall: MPI_Ineighbor_alltoallv, where MPI has it.
#pragma once

#include <mpi.h>

#include "weft/exchange/persistent_alltoall.hpp"

namespace weft {

/// Starts MPI_Ineighbor_alltoallv on `comm`, which has neighbors; counts and displacements, in
/// elements of the type `element`, are by neighbor. Not in a build for SimGrid.
void start_among_neighbors(const AlltoallSide& sends, const AlltoallSide& receives,
                           MPI_Datatype element, MPI_Comm comm, MPI_Request* request);

}  // namespace weft
