// exchange/wire: the messages and collectives of one exchange of a program.
// Keeps: only wait() waits; quiet execution - a run allocates nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/exchange/collective_call.hpp"
#include "weft/exchange/device_messages.hpp"
#include "weft/exchange/requests.hpp"
#include "weft/exchange/staging.hpp"
#include "weft/program/program.hpp"
#include "weft/program/send_window.hpp"

namespace weft {

/// Sends, receives and starts collectives for one exchange. Sends are posted as a SendWindow says.
/// Where MPI cannot reach the buffers, as they are on a device, what is sent is copied to memory of
/// the processor first, and what is received is copied from there: see Staging. No copy waits for a
/// stream of the caller: what is sent must have been stored when the send is submitted, and a
/// receive completes when its contents are on the device.
/// A wire whose run has failed must not be destroyed before MPI_Finalize, as its messages
/// may still be under way.
class Wire {
 public:
  /// The communicator of an exchange's collectives; none for an exchange without collectives. They
  /// need one of their own, as the vote of a run is by collectives, too. Collective over `comm`.
  static Communicator group(const Communicator& comm, const ExchangeProgram& program);

  /// Messages go over `comm`, which must outlive the wire, and collectives over `group`, which
  /// group() has made. `count_limit` is the largest count that is given to MPI as an int; only
  /// tests lower it. `device`: the buffers are in its memory; null: of the processor. Not
  /// collective.
  Wire(const Communicator& comm, Communicator group, const ExchangeProgram& program,
       std::int64_t count_limit = std::numeric_limits<int>::max(),
       const DeviceMessages* device = nullptr);

  /// A task of the exchange that has completed.
  struct Completion {
    Task::Kind kind;
    int index;
  };

  /// Begins a run. `addresses` must outlive the run.
  void begin(const Addresses& addresses);
  /// Starts the receive, send or collective of number `index`. A send waits in a queue while enough
  /// others are under way, if the exchange limits its sends.
  void submit(Task::Kind kind, int index);
  /// Asks MPI which tasks have completed and adds them to completions().
  void progress();
  /// Like progress(), but asks only about sends where sends are limited: between tiles, asking
  /// about every request would take too long.
  void progress_sends();
  /// Blocks until a task has completed; returns at once if nothing is under way. Not while another
  /// rank may fail, or another thread wants to use weft.
  void wait();
  /// The tasks that have completed since the last call of clear().
  std::span<const Completion> completions() const { return completions_; }
  void clear() { completions_.clear(); }
  /// Whether nothing is under way or waits to be sent.
  bool is_idle() const {
    return requests_.none_under_way() && window_.is_empty() &&
           (staging_ == nullptr || staging_->is_idle());
  }
  /// Bytes of registered memory for copies from and to the device.
  std::int64_t staging_bytes() const { return staging_ == nullptr ? 0 : staging_->mirror_bytes(); }

 private:
  struct Posted {
    int peer, tag, buffer;
    std::int64_t offset_bytes, bytes;
    int count;
    Datatype large;  // the type of the whole message, if its count does not fit an int
  };
  Posted posted(const Message& message, std::int64_t count_limit) const;
  MPI_Datatype type_of(const Posted& message) const;
  Completion task_of(std::size_t request) const;
  void start(Completion task);
  void post_receive(std::size_t i);
  void post_send(std::size_t i);
  void send_waiting();
  void take(std::span<const int> completed);
  void submit_staged(Completion task);
  void complete_staged(Completion task);
  void complete_piece(Completion piece);
  void start_copied();
  void complete_copied();
  std::byte* address(const Posted& message) const {
    return (*addresses_)[static_cast<std::size_t>(message.buffer)] + message.offset_bytes;
  }

  const Communicator* comm_;
  Communicator group_;                // of the collectives
  std::unique_ptr<Staging> staging_;  // the messages below are its pieces then
  std::int64_t element_bytes_;
  std::vector<Posted> receives_, sends_;
  std::vector<CollectiveCall> collectives_;
  Requests requests_;  // receives, sends, collectives
  SendWindow window_;
  std::vector<Completion> completions_;

  const Addresses* addresses_ = nullptr;
};

}  // namespace weft
