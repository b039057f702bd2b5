// exchange/wire: posts receives and sends, and chooses which send goes next.

#include "weft/exchange/wire.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

Communicator Wire::group(const Communicator& comm, const ExchangeProgram& program) {
  if (!program.by_collectives) return Communicator::alone();
  if (comm.is_alone())
    throw Error(
        Error::invalid,
        fmt::format("the exchange {} calls MPI, and this plan is of a process alone", program.name),
        "make the plan with MPI_COMM_SELF, or take an exchange by messages: p2p");
  if (program.collectives.empty()) return comm.split(comm.rank());
  return comm.split(program.collectives.front().group.front());
}

namespace {

// Nothing is copied where MPI reaches the memory itself. But boxes are, as MPIs move their rows one
// by one, if they move them at all.
std::unique_ptr<Staging> staging_for(const ExchangeProgram& program, const DeviceMessages* device) {
  if (device == nullptr) return nullptr;
  const bool moves_boxes = std::ranges::any_of(program.collectives, [](const Collective& each) {
    return each.method == Collective::alltoallw;
  });
  if (device->direct && !moves_boxes) return nullptr;
  return std::make_unique<Staging>(program, *device);
}

}  // namespace

Wire::Wire(const Communicator& comm, Communicator group, const ExchangeProgram& program,
           std::int64_t count_limit, const DeviceMessages* device)
    : comm_(&comm),
      group_(std::move(group)),
      staging_(staging_for(program, device)),
      element_bytes_(program.element_bytes),
      window_(staging_ == nullptr ? program : staging_->exchange()) {
  const ExchangeProgram& carried = staging_ == nullptr ? program : staging_->exchange();
  for (const Message& message : carried.receives) {
    receives_.push_back(posted(message, count_limit));
    requests_.add();
  }
  for (const Message& message : carried.sends) {
    sends_.push_back(posted(message, count_limit));
    requests_.add();
  }
  for (const Collective& collective : carried.collectives) {
    collectives_.emplace_back(carried, collective, count_limit);
    requests_.add();
  }
  completions_.reserve(receives_.size() + sends_.size() + collectives_.size());
}

Wire::Posted Wire::posted(const Message& message, std::int64_t count_limit) const {
  Posted one{message.peer,
             message.tag,
             message.buffer,
             message.offset * element_bytes_,
             message.count * element_bytes_,
             1,
             {}};
  if (message.count <= count_limit)
    one.count = narrow(message.count);
  else
    one.large = run_type(carrier(element_bytes_), message.count);
  return one;
}

MPI_Datatype Wire::type_of(const Posted& message) const {
  return message.large.handle() == MPI_DATATYPE_NULL ? carrier(element_bytes_)
                                                     : message.large.handle();
}

void Wire::begin(const Addresses& addresses) {
  ensure(is_idle());
  addresses_ = &addresses;
  completions_.clear();
  window_.begin();
  if (staging_ == nullptr) return;
  staging_->begin(addresses);
  addresses_ = &staging_->mirror();
}

void Wire::submit(Task::Kind kind, int index) {
  if (staging_ == nullptr)
    start({kind, index});
  else
    submit_staged({kind, index});
}

void Wire::start(Completion task) {
  const auto i = static_cast<std::size_t>(task.index);
  if (task.kind == Task::receive) {
    post_receive(i);
  } else if (task.kind == Task::collective) {
    const std::size_t number = receives_.size() + sends_.size() + i;
    collectives_[i].start(group_, *addresses_, requests_.start(number));
  } else {
    window_.add(task.index);
    send_waiting();
  }
}

void Wire::post_receive(std::size_t i) {
  const Posted& one = receives_[i];
  check_mpi(MPI_Irecv(address(one), one.count, type_of(one), one.peer, one.tag, comm_->handle(),
                      requests_.start(i)),
            "MPI_Irecv");
}

void Wire::post_send(std::size_t i) {
  const Posted& one = sends_[i];
  check_mpi(MPI_Isend(address(one), one.count, type_of(one), one.peer, one.tag, comm_->handle(),
                      requests_.start(receives_.size() + i)),
            "MPI_Isend");
}

void Wire::send_waiting() {
  for (int next = window_.take(); next >= 0; next = window_.take())
    post_send(static_cast<std::size_t>(next));
}

Wire::Completion Wire::task_of(std::size_t request) const {
  if (request < receives_.size()) return {Task::receive, static_cast<int>(request)};
  request -= receives_.size();
  if (request < sends_.size()) return {Task::send, static_cast<int>(request)};
  return {Task::collective, static_cast<int>(request - sends_.size())};
}

void Wire::take(std::span<const int> completed) {
  for (const int number : completed) {
    const Completion task = task_of(static_cast<std::size_t>(number));
    if (task.kind == Task::send) window_.complete(task.index);
    if (staging_ == nullptr)
      completions_.push_back(task);
    else
      complete_staged(task);
  }
  send_waiting();
}

void Wire::progress() {
  start_copied();
  take(requests_.test_some());
  complete_copied();
}

void Wire::progress_sends() {
  if (!window_.limits() || window_.under_way() == 0) return progress();
  start_copied();
  take(requests_.test_some(receives_.size()));
  complete_copied();
}

// What is copied is waited for first: until it is sent, other ranks may wait for it.
void Wire::wait() {
  if (staging_ == nullptr) return take(requests_.wait_some());
  while (completions_.empty() && !is_idle()) {
    if (!staging_->await_copy()) take(requests_.wait_some());
    progress();
  }
}

// ---- messages of memory of a device

// The pieces of a receive are posted at once. All others are copied first, in the order in which
// they are submitted, which is that of the collectives on all ranks.
void Wire::submit_staged(Completion task) {
  if (task.kind == Task::collective) return staging_->copy_down(task.kind, task.index);
  const CutMessages& pieces = staging_->pieces();
  for (int piece = pieces.first(task.kind, task.index); piece < pieces.end(task.kind, task.index);
       ++piece)
    if (task.kind == Task::receive)
      start({task.kind, piece});
    else
      staging_->copy_down(task.kind, piece);
}

// A piece, or a collective, has completed in the mirror.
void Wire::complete_staged(Completion task) {
  if (task.kind == Task::send)
    complete_piece(task);
  else
    staging_->copy_up(task.kind, task.index);
}

void Wire::complete_piece(Completion piece) {
  const int message = staging_->pieces().complete(piece.kind, piece.index);
  if (message >= 0) completions_.push_back({piece.kind, message});
}

// Starts the sends and collectives that have been copied down.
void Wire::start_copied() {
  if (staging_ == nullptr) return;
  for (auto copied = staging_->take_down(); copied.number >= 0; copied = staging_->take_down())
    start({copied.kind, copied.number});
}

// Completes the receives and collectives that have been copied up.
void Wire::complete_copied() {
  if (staging_ == nullptr) return;
  for (auto copied = staging_->take_up(); copied.number >= 0; copied = staging_->take_up())
    if (copied.kind == Task::collective)
      completions_.push_back({copied.kind, copied.number});
    else
      complete_piece({copied.kind, copied.number});
}

}  // namespace weft
