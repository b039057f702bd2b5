// exchange/posted: the point-to-point messages of an exchange, posted again and again.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/comm/datatype.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

/// Receives and sends of one rank, each with its request. Messages beyond an int's count travel as
/// one element of a large type. Requests are left over only where an error ended a run: the
/// destructor cancels them, so that nothing arrives in freed memory.
class Posted {
 public:
  Posted(const Communicator& comm, std::int64_t element_bytes, std::int64_t count_limit)
      : comm_(&comm), element_bytes_(element_bytes), count_limit_(count_limit) {}
  Posted(const Posted&) = delete;
  Posted& operator=(const Posted&) = delete;
  ~Posted();

  /// While it is made: all receives before all sends.
  void add_receive(const Message& message);
  void add_send(const Message& message);

  std::size_t receives() const { return receives_; }
  std::size_t sends() const { return messages_.size() - receives_; }

  /// Receive (send) number i, to (from) its offset in the buffer at `base`.
  void receive(std::size_t i, std::byte* base);
  void send(std::size_t i, const std::byte* base);
  /// Returns when receive i is there.
  void wait(std::size_t i);
  void wait_all();

 private:
  struct One {
    int peer;
    std::int64_t offset_bytes;
    int count;
    Datatype large;  // where the count does not fit an int
  };
  void add(const Message& message);
  MPI_Datatype type_of(const One& one) const {
    return one.large.handle() == MPI_DATATYPE_NULL ? carrier(element_bytes_) : one.large.handle();
  }

  const Communicator* comm_;
  std::int64_t element_bytes_, count_limit_;
  std::size_t receives_ = 0;
  std::vector<One> messages_;  // receives, then sends
  std::vector<MPI_Request> requests_;
};

}  // namespace weft
