// exchange/neighbor_alltoall: MPI_Ineighbor_alltoallv and MPI_Ineighbor_alltoallw, where MPI has
// them.
#pragma once

#include <mpi.h>

#include "weft/exchange/persistent_alltoall.hpp"

namespace weft {

/// Starts MPI_Ineighbor_alltoallv on `comm`, which has neighbors; counts and displacements, in
/// elements of the type `element`, are by neighbor. Not in a build for SimGrid.
void start_among_neighbors(const AlltoallSide& sends, const AlltoallSide& receives,
                           MPI_Datatype element, MPI_Comm comm, MPI_Request* request);

/// Starts MPI_Ineighbor_alltoallw: the types of the sides count from their addresses, so that
/// `no_displacements` has a 0 for each neighbor. It must outlive the collective.
void start_types_among_neighbors(const AlltoallSide& sends, const AlltoallSide& receives,
                                 const MPI_Aint* no_displacements, MPI_Comm comm,
                                 MPI_Request* request);

}  // namespace weft
