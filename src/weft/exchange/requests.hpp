// exchange/requests: the MPI requests of an exchange, started again and again.
// Keeps: no more are waited for than are under way.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

namespace weft {

/// Requests by number. Those that an error of a run leaves under way are not to be destroyed: MPI
/// lets nobody cancel collectives, and writes to the buffers that it was given.
class Requests {
 public:
  /// While it is made: one more, numbered from 0 on.
  void add();

  /// Number i, for the MPI call that starts it.
  MPI_Request* start(std::size_t i);
  /// Numbers of those that have completed since, from number `first` on; nothing here waits. Valid
  /// until the next call.
  std::span<const int> test_some(std::size_t first = 0);
  /// The same, but returns only when one has completed, or none is under way.
  std::span<const int> wait_some();
  bool none_under_way() const { return under_way_ == 0; }

 private:
  using Call = int (*)(int, MPI_Request*, int*, int*, MPI_Status*);
  std::span<const int> completed(std::size_t first, Call call, const char* name);

  std::vector<MPI_Request> requests_;
  std::vector<int> completed_;
  int under_way_ = 0;
};

}  // namespace weft
