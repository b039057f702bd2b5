// exchange/collective_call: the arguments of a non-blocking collective.
// Keeps: quiet execution - counts and types are made once and used in every run.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/comm/datatype.hpp"
#include "weft/memory/addresses.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// One collective of a program on the communicator of its group. Counts that do not fit an int are
/// expressed by derived MPI types.
class CollectiveCall {
 public:
  /// The arguments of a collective of `exchange`. `count_limit` is the largest count or
  /// displacement that is given to MPI as an int.
  CollectiveCall(const ExchangeProgram& exchange, const Collective& collective,
                 std::int64_t count_limit);

  /// Starts the collective on `comm`. `addresses` are those of the program's buffers.
  void start(const Communicator& comm, const Addresses& addresses, MPI_Request* request) const;

 private:
  // Calls the blocking collective, in a simulation that asks for it.
  void call(const void* from, void* to, MPI_Comm comm, MPI_Request* request) const;
  // What this rank sends, or receives: counts and displacements by member of the group.
  struct Side {
    int buffer = 0;
    std::int64_t start_bytes = 0;  // of the first element in the buffer
    bool holds_any = false;
    std::vector<int> counts, displacements;
    std::vector<Datatype> owned;
    std::vector<MPI_Datatype> types;
  };
  static std::byte* address(const Side& side, const Addresses& addresses) {
    return addresses[static_cast<std::size_t>(side.buffer)] + side.start_bytes;
  }
  Side runs_of(const std::vector<Collective::Part>& parts, int buffer,
               const std::vector<int>& peers) const;
  Side boxes_of(const std::vector<Collective::Part>& parts, int buffer,
                const std::vector<int>& peers) const;
  Side empty_side(int buffer, std::size_t peers) const;

  Collective::Method method_;
  std::int64_t element_bytes_;
  bool is_large_ = false;  // counts are expressed by derived types
  Side sends_, receives_;
  int slot_count_ = 0;  // alltoall
  MPI_Datatype slot_type_ = MPI_DATATYPE_NULL;
  Datatype large_slot_;
};

}  // namespace weft
