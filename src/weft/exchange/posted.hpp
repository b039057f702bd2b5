// exchange/posted: the point-to-point messages of an exchange, posted again and again.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/comm/datatype.hpp"
#include "weft/exchange/messages.hpp"

namespace weft {

/// Receives and sends of one rank, each with its request. The tag tells a message's cell, which is
/// the same on both sides, and the exchange that it belongs to (ExchangeSpec::number). Messages
/// beyond an int's count travel as one element of a large type. Requests are left over only where
/// an error ended a run: the destructor cancels them, so that nothing arrives in freed memory.
class Posted {
 public:
  Posted(const Communicator& comm, std::int64_t element_bytes, std::int64_t count_limit, int number)
      : comm_(&comm), element_bytes_(element_bytes), count_limit_(count_limit), number_(number) {}
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
  /// Calls received(i) and sent(i) for what has completed since; nothing here waits.
  template <class Received, class Sent>
  void test(const Received& received, const Sent& sent) {
    for (int i = completed(0, false); i > 0; --i) tell(i - 1, received, sent);
  }
  /// The same of sends alone; there must be some under way. All messages get on.
  template <class Sent>
  void test_sends(const Sent& sent) {
    const auto received = [](std::size_t) {};
    for (int i = completed(receives_, false); i > 0; --i) tell(i - 1, received, sent);
  }
  /// The same, but returns only when something has completed, or nothing is under way.
  template <class Received, class Sent>
  void wait_some(const Received& received, const Sent& sent) {
    for (int i = completed(0, true); i > 0; --i) tell(i - 1, received, sent);
  }
  bool is_idle() const { return under_way_ == 0; }

 private:
  struct One {
    int peer, tag;
    std::int64_t offset_bytes;
    int count;
    Datatype large;  // where the count does not fit an int
  };
  void add(const Message& message);
  MPI_Datatype type_of(const One& one) const {
    return one.large.handle() == MPI_DATATYPE_NULL ? carrier(element_bytes_) : one.large.handle();
  }

  int completed(std::size_t first, bool waits);
  template <class Received, class Sent>
  void tell(int place, const Received& received, const Sent& sent) {
    const auto i = static_cast<std::size_t>(completed_[static_cast<std::size_t>(place)]);
    if (i < receives_)
      received(i);
    else
      sent(i - receives_);
  }

  const Communicator* comm_;
  std::int64_t element_bytes_, count_limit_;
  int number_;
  std::size_t receives_ = 0;
  std::vector<One> messages_;  // receives, then sends
  std::vector<MPI_Request> requests_;
  std::vector<int> completed_;  // places in requests_
  std::size_t under_way_ = 0;
};

}  // namespace weft
