// exchange/posted: the point-to-point messages of an exchange, posted again and again.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/comm/datatype.hpp"
#include "weft/exchange/messages.hpp"
#include "weft/exchange/requests.hpp"

namespace weft {

/// Receives and sends of one rank, each with its request. The tag tells a message's cell, which is
/// the same on both sides, and the exchange that it belongs to (ExchangeSpec::first_tag). Messages
/// beyond an int's count travel as one element of a large type.
class Posted {
 public:
  Posted(const Communicator& comm, std::int64_t element_bytes, std::int64_t count_limit,
         int first_tag)
      : comm_(&comm),
        element_bytes_(element_bytes),
        count_limit_(count_limit),
        first_tag_(first_tag) {}

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
    tell(requests_.test_some(), received, sent);
  }
  /// The same of sends alone; there must be some under way. All messages get on.
  template <class Sent>
  void test_sends(const Sent& sent) {
    tell(
        requests_.test_some(receives_), [](std::size_t) {}, sent);
  }
  /// The same, but returns only when something has completed, or nothing is under way.
  template <class Received, class Sent>
  void wait_some(const Received& received, const Sent& sent) {
    tell(requests_.wait_some(), received, sent);
  }
  bool is_idle() const { return requests_.none_under_way(); }

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

  template <class Received, class Sent>
  void tell(std::span<const int> completed, const Received& received, const Sent& sent) {
    for (const int number : completed) {
      const auto i = static_cast<std::size_t>(number);
      if (i < receives_)
        received(i);
      else
        sent(i - receives_);
    }
  }

  const Communicator* comm_;
  std::int64_t element_bytes_, count_limit_;
  int first_tag_;
  std::size_t receives_ = 0;
  std::vector<One> messages_;  // receives, then sends
  Requests requests_;
};

}  // namespace weft
