// exchange/persistent_alltoall: MPI_Alltoallv_init and MPI_Alltoallw_init, where MPI has them.
// Keeps: a request is freed before the communicator that it was made on.
#pragma once

#include <mpi.h>

namespace weft {

/// What one rank sends, or receives, in a collective.
struct AlltoallSide {
  void* address = nullptr;
  const int* counts = nullptr;  ///< by member of the communicator, as the following
  const int* displacements = nullptr;
  const MPI_Datatype* types = nullptr;
};

/// Owner of the request of a persistent collective. While MPI uses it, the request must not be
/// freed, nor the arrays to which the sides point.
class PersistentAlltoall {
 public:
  PersistentAlltoall() = default;
  /// As MPI_Alltoallw, with displacements in bytes. Collective over `comm`. Only where
  /// has_persistent_collectives().
  static PersistentAlltoall of_types(const AlltoallSide& sends, const AlltoallSide& receives,
                                     MPI_Comm comm);
  /// As MPI_Alltoallv, with displacements in elements of the type `element`; the types of the sides
  /// are not used. Collective over `comm`.
  static PersistentAlltoall of_elements(const AlltoallSide& sends, const AlltoallSide& receives,
                                        MPI_Datatype element, MPI_Comm comm);
  PersistentAlltoall(PersistentAlltoall&& other) noexcept;
  PersistentAlltoall& operator=(PersistentAlltoall&& other) noexcept;
  ~PersistentAlltoall();

  bool is_made() const { return request_ != MPI_REQUEST_NULL; }
  /// Starts the collective. `request` becomes a second handle of it. MPI does not set that to
  /// MPI_REQUEST_NULL when the collective has completed; the caller does.
  void start(MPI_Request* request) const;

 private:
  void free();
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace weft
