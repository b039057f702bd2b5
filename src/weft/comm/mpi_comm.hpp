// comm/mpi_comm: mpi.h, and with it the conversions of CommHandle from and to MPI_Comm.
#pragma once

#include <mpi.h>

#include "weft/comm/comm_handle.hpp"

namespace weft {

template <>
struct NullComm<MPI_Comm> : std::true_type {
  static MPI_Comm get() { return MPI_COMM_NULL; }
};

}  // namespace weft
