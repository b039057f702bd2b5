// comm/communicator: weft's own communicator, and MPI's status codes as errors.
// Keeps: guest - weft works on a duplicate, never initialises, finalises or aborts MPI, and frees
// nothing after MPI_Finalize.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Error::system with MPI's own text if `status` is not MPI_SUCCESS.
void check_mpi(int status, const char* call);

/// Whether MPI may be called: after MPI_Init, before MPI_Finalize.
bool mpi_is_running();

/// Whether any thread may call MPI at any time.
bool mpi_allows_threads();

/// Owner of a communicator. Moving is cheap; copying would be collective, so it is not there.
class Communicator {
 public:
  /// Duplicates `user`, and has MPI return errors instead of aborting. Collective.
  /// Error::system if MPI has not been initialised, Error::invalid for MPI_COMM_NULL.
  explicit Communicator(MPI_Comm user);
  /// Of no ranks.
  static Communicator none() { return {}; }
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  ~Communicator();

  /// The ranks that pass the same `colour`, in the order of this communicator. Collective.
  Communicator split(int colour) const;

  int rank() const { return rank_; }
  int size() const { return size_; }
  MPI_Comm handle() const { return comm_; }

  /// That messages may have; MPI promises 32767.
  int largest_tag() const;
  void barrier() const;
  /// Over all ranks; collective.
  double max(double value) const;
  std::int64_t max(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  /// `root`'s text on every rank; collective.
  std::string broadcast(std::string text, int root) const;
  /// Every rank's list, by rank; collective.
  std::vector<std::vector<std::int64_t>> gather_all(const std::vector<std::int64_t>& mine) const;

 private:
  Communicator() = default;
  struct Adopt {};
  Communicator(Adopt, MPI_Comm comm);
  void free();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

/// `value` as an int for MPI. Error::bug if it does not fit: callers that may have more cut their
/// messages into larger elements first.
int narrow(std::int64_t value);

}  // namespace weft
