// exchange/requests: the MPI requests of an exchange, which every run starts again.
// Keeps: wait_some() waits only while requests are under way.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

namespace weft {

/// Requests, numbered from 0. Requests that a failed run has left under way must not be destroyed:
/// collectives cannot be cancelled, and MPI still writes to their buffers.
class Requests {
 public:
  /// Adds a request with the next number. Called only before the first run.
  void add();

  /// The request of number i, for the MPI call that starts it.
  MPI_Request* start(std::size_t i);
  /// The numbers, from `first` on, of requests that have completed since the last call. Does not
  /// wait. The result is valid until the next call.
  std::span<const int> test_some(std::size_t first = 0);
  /// Like test_some(), but waits until a request has completed. Returns nothing if none is under
  /// way.
  std::span<const int> wait_some();
  /// Whether all started requests have completed.
  bool none_under_way() const { return under_way_ == 0; }

 private:
  using Call = int (*)(int, MPI_Request*, int*, int*, MPI_Status*);
  std::span<const int> completed(std::size_t first, Call call, const char* name);

  std::vector<MPI_Request> requests_;
  std::vector<int> completed_;
  int under_way_ = 0;
};

}  // namespace weft
