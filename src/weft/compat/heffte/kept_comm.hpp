// compat/heffte/kept_comm: duplicates of communicators, which live as long as a plan needs them.
#pragma once

#include <mpi.h>

#include <memory>

#include "weft/compat/shared/own_comm.hpp"

namespace heffte::over_weft {

/// The duplicate of `user` that all plans of it share. It outlives `user` if plans hold it.
/// Collective. std::runtime_error if MPI fails.
std::shared_ptr<const weft::compat::OwnComm> kept_comm(MPI_Comm user);

}  // namespace heffte::over_weft
