// exchange/neighbor_alltoall: calls MPI; SimGrid's has no such functions.

#include "weft/exchange/neighbor_alltoall.hpp"

#include "weft/base/error.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

#ifdef WEFT_SIMULATED

void start_among_neighbors(const AlltoallSide&, const AlltoallSide&, MPI_Datatype, MPI_Comm,
                           MPI_Request*) {
  ensure(!is_simulated);
}

void start_types_among_neighbors(const AlltoallSide&, const AlltoallSide&, const MPI_Aint*,
                                 MPI_Comm, MPI_Request*) {
  ensure(!is_simulated);
}

#else

void start_among_neighbors(const AlltoallSide& sends, const AlltoallSide& receives,
                           MPI_Datatype element, MPI_Comm comm, MPI_Request* request) {
  check_mpi(MPI_Ineighbor_alltoallv(sends.address, sends.counts, sends.displacements, element,
                                    receives.address, receives.counts, receives.displacements,
                                    element, comm, request),
            "MPI_Ineighbor_alltoallv");
}

void start_types_among_neighbors(const AlltoallSide& sends, const AlltoallSide& receives,
                                 const MPI_Aint* no_displacements, MPI_Comm comm,
                                 MPI_Request* request) {
  check_mpi(MPI_Ineighbor_alltoallw(sends.address, sends.counts, no_displacements, sends.types,
                                    receives.address, receives.counts, no_displacements,
                                    receives.types, comm, request),
            "MPI_Ineighbor_alltoallw");
}

#endif

}  // namespace weft
