// compat/heffte/kept_comm: duplicates of communicators, which live as long as a plan needs them.
#pragma once

#include <mpi.h>

#include <memory>

namespace heffte::over_weft {

/// A communicator that is freed at the end of its life, unless MPI has ended.
class KeptComm {
 public:
  /// A duplicate of `user`. Collective.
  explicit KeptComm(MPI_Comm user);
  KeptComm(const KeptComm&) = delete;
  KeptComm& operator=(const KeptComm&) = delete;
  ~KeptComm();
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The duplicate of `user` that all plans of it share. It outlives `user` if plans hold it.
/// Collective. std::runtime_error if MPI fails.
std::shared_ptr<const KeptComm> kept_comm(MPI_Comm user);

}  // namespace heffte::over_weft
