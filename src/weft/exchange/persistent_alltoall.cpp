// exchange/persistent_alltoall: calls MPI by the name that the function has in this MPI.

#include "weft/exchange/persistent_alltoall.hpp"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/exchange/persistence.hpp"

#if MPI_VERSION >= 4
#define WEFT_ALLTOALLV_INIT MPI_Alltoallv_init
#define WEFT_ALLTOALLW_INIT MPI_Alltoallw_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define WEFT_ALLTOALLV_INIT MPIX_Alltoallv_init
#define WEFT_ALLTOALLW_INIT MPIX_Alltoallw_init
#endif

namespace weft {

#ifdef WEFT_ALLTOALLV_INIT

bool has_persistent_collectives() { return true; }

PersistentAlltoall PersistentAlltoall::of_types(const AlltoallSide& sends,
                                                const AlltoallSide& receives, MPI_Comm comm) {
  PersistentAlltoall made;
  check_mpi(WEFT_ALLTOALLW_INIT(sends.address, sends.counts, sends.displacements, sends.types,
                                receives.address, receives.counts, receives.displacements,
                                receives.types, comm, MPI_INFO_NULL, &made.request_),
            "MPI_Alltoallw_init");
  return made;
}

PersistentAlltoall PersistentAlltoall::of_elements(const AlltoallSide& sends,
                                                   const AlltoallSide& receives,
                                                   MPI_Datatype element, MPI_Comm comm) {
  PersistentAlltoall made;
  check_mpi(WEFT_ALLTOALLV_INIT(sends.address, sends.counts, sends.displacements, element,
                                receives.address, receives.counts, receives.displacements, element,
                                comm, MPI_INFO_NULL, &made.request_),
            "MPI_Alltoallv_init");
  return made;
}

#else

bool has_persistent_collectives() { return false; }

PersistentAlltoall PersistentAlltoall::of_types(const AlltoallSide&, const AlltoallSide&,
                                                MPI_Comm) {
  ensure(has_persistent_collectives());
  return {};
}

PersistentAlltoall PersistentAlltoall::of_elements(const AlltoallSide&, const AlltoallSide&,
                                                   MPI_Datatype, MPI_Comm) {
  ensure(has_persistent_collectives());
  return {};
}

#endif

PersistentAlltoall::PersistentAlltoall(PersistentAlltoall&& other) noexcept
    : request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
PersistentAlltoall& PersistentAlltoall::operator=(PersistentAlltoall&& other) noexcept {
  if (this != &other) {
    free();
    request_ = std::exchange(other.request_, MPI_REQUEST_NULL);
  }
  return *this;
}
PersistentAlltoall::~PersistentAlltoall() { free(); }

void PersistentAlltoall::free() {
  if (request_ != MPI_REQUEST_NULL && mpi_is_running()) MPI_Request_free(&request_);
  request_ = MPI_REQUEST_NULL;
}

void PersistentAlltoall::start(MPI_Request* request) const {
  *request = request_;
  check_mpi(MPI_Start(request), "MPI_Start");
}

}  // namespace weft
