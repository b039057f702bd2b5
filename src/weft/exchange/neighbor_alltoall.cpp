// exchange/neighbor_alltoall: calls MPI; SimGrid's has no such functions.

#include "weft/exchange/neighbor_alltoall.hpp"

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

#ifdef SMPI_H  // SimGrid's mpi.h defines it

void start_among_neighbors(const AlltoallSide&, const AlltoallSide&, MPI_Datatype, MPI_Comm,
                           MPI_Request*) {
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

#endif

}  // namespace weft
