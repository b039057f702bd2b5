// comm/comm_handle: MPI's handle of a communicator, in headers that do not include mpi.h.
// Why: what never sees mpi.h is the same for every MPI, so that builds for several of them can
// share the compiled files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace weft {

/// What MPI_COMM_NULL is, if `Comm` is MPI_Comm; comm/mpi_comm says so.
template <class Comm>
struct NullComm : std::false_type {};

/// A communicator's handle, or none. Where comm/mpi_comm is included it converts from and to
/// MPI_Comm, of which MPI_COMM_NULL is none; no other type converts.
class CommHandle {
 public:
  CommHandle() = default;
  template <class Comm, class = std::enable_if_t<NullComm<Comm>::value>>
  CommHandle(Comm comm) : is_none_(comm == NullComm<Comm>::get()) {  // NOLINT: the same to callers
    static_assert(bytes_of<Comm> <= sizeof bits_ && std::is_trivially_copyable_v<Comm>);
    if (!is_none_) std::memcpy(&bits_, &comm, bytes_of<Comm>);
  }
  template <class Comm, class = std::enable_if_t<NullComm<Comm>::value>>
  operator Comm() const {  // NOLINT: the same to callers
    Comm comm = NullComm<Comm>::get();
    if (!is_none_) std::memcpy(&comm, &bits_, bytes_of<Comm>);
    return comm;
  }

  bool is_none() const { return is_none_; }

 private:
  // The size of the handle itself, also where it is a pointer.
  template <class Comm>
  static constexpr std::size_t bytes_of = sizeof(Comm);  // NOLINT(bugprone-sizeof-expression)

  std::uint64_t bits_ = 0;  // an address in some MPIs, a number in others
  bool is_none_ = true;
};

}  // namespace weft
