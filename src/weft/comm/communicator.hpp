// comm/communicator: an owner of a communicator, or a process alone; MPI's status codes as errors.
// Keeps: guest - weft works on a duplicate, never initialises, finalises or aborts MPI, and frees
// nothing after MPI_Finalize. A process alone calls no MPI.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/base/error_record.hpp"
#include "weft/comm/comm_handle.hpp"

namespace weft {

/// Throws Error::system with MPI's own text if `status` is not MPI_SUCCESS.
void check_mpi(int status, const char* call);

/// Whether MPI may be called: after MPI_Init, before MPI_Finalize, and not in a forked child.
bool mpi_is_running();

/// Whether any thread may call MPI at any time.
bool mpi_allows_threads();

/// The name and the version of the MPI library, "Open MPI v4.1.4". MPI need not run.
std::string mpi_version();

/// Whether MPI allows this thread to call it: below MPI_THREAD_SERIALIZED only the thread that
/// initialised MPI may. MPI must be running.
bool is_mpi_thread();

/// Error::invalid if MPI does not allow this thread to call it. If it does, tells first what other
/// threads have left to be told (FailureNotice::tell_late). MPI must be running. Not collective.
void require_mpi_thread();

/// Owner of a communicator. It cannot be copied, because duplication is collective.
class Communicator {
 public:
  /// Duplicates `user`, and makes MPI return errors instead of aborting. Collective.
  /// Error::system if MPI has not been initialised, Error::invalid for MPI_COMM_NULL and for
  /// intercommunicators; errors as of require_mpi_thread. Allocates nothing before the ranks can
  /// agree on errors.
  explicit Communicator(CommHandle user);
  /// This process alone, as rank 0 of 1, without MPI: its collective calls return at once. It has
  /// no handle.
  static Communicator alone();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  ~Communicator();

  /// A communicator of the ranks that pass the same `colour`, in the same order. Collective.
  Communicator split(int colour) const;
  /// The communicator of the ranks that can share memory with this one, in the same order. The
  /// first call makes it, and it is kept, as these ranks never change. Collective.
  const Communicator& on_this_machine() const;
  /// The machine of every rank, numbered in the order of their lowest ranks; known, and kept, as
  /// on_this_machine() is. Collective. Empty for a process alone.
  const std::vector<int>& machine_of_rank() const;

  /// Another communicator of the same ranks. Collective.
  Communicator duplicate() const;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// None for a process alone.
  CommHandle handle() const { return comm_; }
  bool is_alone() const { return comm_.is_none(); }
  /// Error::invalid if MPI, which this communicator needs, is not running, and in a forked child.
  /// Not collective.
  void require_running() const;
  /// The same, and errors as of require_mpi_thread.
  void require_usable() const;

  /// The largest tag of a message; MPI guarantees at least 32767.
  int largest_tag() const;
  void barrier() const;
  /// The largest (smallest) value of all ranks; NaN if one of them is NaN. Collective.
  double max(double value) const;
  std::int64_t max(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  /// Replaces each value by the largest of all ranks at this place. Collective; all ranks give
  /// equally many.
  void max_each(std::span<std::int64_t> values) const;
  /// The same with the bits that all ranks have set.
  void and_each(std::span<std::int64_t> values) const;
  /// Replaces `bytes` bytes at `data` by those of rank `root`. Collective.
  void broadcast(void* data, int bytes, int root) const;
  /// Fills `all`, by rank, with the `bytes` bytes at `mine` of every rank. Collective.
  void gather(const void* mine, int bytes, void* all) const;
  /// The text of rank `root`, on every rank; or its `failure`, as an error on every rank.
  /// Collective.
  std::string broadcast(const std::string& text, int root, const ErrorRecord& failure = {}) const;
  /// The numbers of all ranks, by rank. Collective.
  std::vector<std::int64_t> gather_each(std::int64_t mine) const;
  /// The lists of all ranks, by rank. Collective.
  std::vector<std::vector<std::int64_t>> gather_all(const std::vector<std::int64_t>& mine) const;

 private:
  Communicator() = default;
  struct Adopt {};
  Communicator(Adopt, CommHandle comm);
  void free();
  void find_machines() const;

  CommHandle comm_;
  int rank_ = 0, size_ = 1;
  // All ranks have it, or none has.
  mutable std::unique_ptr<const Communicator> on_this_machine_;
  mutable std::vector<int> machine_of_rank_;
};

/// The text of rank `root`, on every rank.
class SentText {
 public:
  /// Or its `failure`, as an error on every rank. Collective.
  SentText(const Communicator& comm, const std::string& text, int root,
           const ErrorRecord& failure = {});
  /// Not collective, and allocates.
  std::string get() const;

 private:
  // The first letters go with the length, so that a short text needs one broadcast, and no memory.
  struct Head {
    std::int64_t length;  // -1: the root has failed
    std::array<char, 1016> letters;
  } head_{};
  std::string rest_;
};

/// The processes of the user's communicator in the order of their keys, which differ; the user
/// frees it. Collective.
CommHandle renumbered(CommHandle user, int key);

/// `value` as an int, for MPI. Error::bug if it does not fit: for more elements than that, callers
/// must use larger datatypes.
int narrow(std::int64_t value);

}  // namespace weft
