// exchange/wire: the messages and collectives of one exchange of a program, submitted as the
// program says, again and again. Keeps: nothing here waits, but wait(); a run allocates nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/exchange/collective_call.hpp"
#include "weft/exchange/requests.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// What MPI does for one exchange. Of exchanges that limit their sends, a send leaves when few
/// others are under way, the lowest number first: what follows would share the network. One whose
/// run an error has ended is not destroyed while MPI runs: messages may be under way.
class Wire {
 public:
  /// Collective over `comm`, which must outlive the wire, as collectives need a communicator of
  /// their own. `count_limit`: the largest count given to MPI as an int; smaller only in tests.
  Wire(const Communicator& comm, const ExchangeProgram& program,
       std::int64_t count_limit = std::numeric_limits<int>::max());

  /// A task of the exchange that has completed.
  struct Completion {
    Task::Kind kind;
    int index;
  };

  /// Before the tasks of a run; `addresses` lasts until its end.
  void begin(const Addresses& addresses);
  /// Starts receive, send or collective number `index`, or queues it where sends are limited.
  void submit(Task::Kind kind, int index);
  /// Asks MPI what has completed; completions() tells.
  void progress();
  /// The same between tiles, where asking for every request would take too long.
  void move();
  /// Blocks until something has completed; returns at once if nothing is under way.
  void wait();
  /// Completed since the last call of clear().
  std::span<const Completion> completions() const { return completions_; }
  void clear() { completions_.clear(); }
  /// Whether nothing is under way or waits to be sent.
  bool is_idle() const { return requests_.none_under_way() && waiting_.empty(); }

 private:
  struct Posted {
    int peer, tag, buffer;
    std::int64_t offset_bytes, bytes;
    int count;
    Datatype large;  // where the count does not fit an int
  };
  Posted posted(const Message& message, std::int64_t count_limit) const;
  MPI_Datatype type_of(const Posted& message) const;
  void post_receive(std::size_t i);
  void post_send(std::size_t i);
  void send_waiting();
  void take(std::span<const int> completed);
  std::byte* address(const Posted& message) const {
    return (*addresses_)[static_cast<std::size_t>(message.buffer)] + message.offset_bytes;
  }

  const Communicator* comm_;
  Communicator group_;  // of the collectives
  std::int64_t element_bytes_;
  bool limits_sends_;
  std::vector<Posted> receives_, sends_;
  std::vector<CollectiveCall> collectives_;
  Requests requests_;  // receives, sends, collectives
  std::vector<Completion> completions_;

  const Addresses* addresses_ = nullptr;
  std::vector<int> waiting_;  // sends submitted but not yet posted: a heap, the lowest on top
  int sends_under_way_ = 0;
  std::int64_t bytes_under_way_ = 0, least_bytes_under_way_ = 0;
};

}  // namespace weft
