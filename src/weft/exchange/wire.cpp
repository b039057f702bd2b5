// exchange/wire: posts receives and sends, and chooses which send goes next.

#include "weft/exchange/wire.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "weft/base/error.hpp"

namespace weft {

namespace {

// The next send is posted while fewer messages, or fewer bytes, than these are under way. MPI is
// not called within a tile, so the network must have enough to do until the next call; but messages
// that are under way share the network, so the urgent ones are no longer first. Tiles grow with the
// problem: an eighth of all bytes was the best part between 1/64 and 1, for 128^3 and 192^3 points
// as slabs on 8 simulated hosts at 1 GB/s. Open MPI's TCP uses the two directions of a link one
// after the other if one rank is given much before the other: 256^3 points between two hosts at 2
// Gbit/s took 520 to 580 ms with 16 MiB under way, and 330 ms with these limits.
constexpr int least_under_way = 2;
constexpr std::int64_t part_under_way = 8;
constexpr std::int64_t most_bytes_under_way = std::int64_t{1} << 20;

}  // namespace

Communicator Wire::group(const Communicator& comm, const ExchangeProgram& program) {
  if (!program.by_collectives) return Communicator::alone();
  if (comm.is_alone())
    throw Error(
        Error::invalid,
        fmt::format("the exchange {} calls MPI, and this plan is of a process alone", program.name),
        "make the plan with MPI_COMM_SELF, or take an exchange by messages: p2p");
  return comm.split(program.collectives.empty() ? comm.rank()
                                                : program.collectives.front().group.front());
}

Wire::Wire(const Communicator& comm, Communicator group, const ExchangeProgram& program,
           std::int64_t count_limit)
    : comm_(&comm),
      group_(std::move(group)),
      element_bytes_(program.element_bytes),
      limits_sends_(program.limits_sends) {
  std::int64_t bytes = 0;
  for (const Message& message : program.receives) {
    receives_.push_back(posted(message, count_limit));
    requests_.add();
  }
  for (const Message& message : program.sends) {
    sends_.push_back(posted(message, count_limit));
    requests_.add();
    bytes += sends_.back().bytes;
  }
  for (const Collective& collective : program.collectives) {
    collectives_.emplace_back(collective, element_bytes_, count_limit);
    requests_.add();
  }
  least_bytes_under_way_ = std::min(bytes / part_under_way, most_bytes_under_way);
  waiting_.reserve(sends_.size());
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
  sends_under_way_ = 0;
  bytes_under_way_ = 0;
}

void Wire::submit(Task::Kind kind, int index) {
  const auto i = static_cast<std::size_t>(index);
  if (kind == Task::receive) {
    post_receive(i);
  } else if (kind == Task::collective) {
    const std::size_t number = receives_.size() + sends_.size() + i;
    collectives_[i].start(group_, *addresses_, requests_.start(number));
  } else if (limits_sends_) {
    waiting_.push_back(index);
    std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    send_waiting();
  } else {
    post_send(i);
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
  ++sends_under_way_;
  bytes_under_way_ += one.bytes;
}

void Wire::send_waiting() {
  while (!waiting_.empty() &&
         (sends_under_way_ < least_under_way || bytes_under_way_ < least_bytes_under_way_)) {
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    const auto i = static_cast<std::size_t>(waiting_.back());
    waiting_.pop_back();
    post_send(i);
  }
}

void Wire::take(std::span<const int> completed) {
  for (const int number : completed) {
    const auto i = static_cast<std::size_t>(number);
    if (i < receives_.size()) {
      completions_.push_back({Task::receive, number});
    } else if (i < receives_.size() + sends_.size()) {
      const std::size_t send = i - receives_.size();
      --sends_under_way_;
      bytes_under_way_ -= sends_[send].bytes;
      completions_.push_back({Task::send, static_cast<int>(send)});
    } else {
      completions_.push_back(
          {Task::collective, static_cast<int>(i - receives_.size() - sends_.size())});
    }
  }
  send_waiting();
}

void Wire::progress() { take(requests_.test_some()); }

void Wire::progress_sends() {
  if (limits_sends_ && sends_under_way_ > 0)
    take(requests_.test_some(receives_.size()));
  else
    progress();
}

void Wire::wait() { take(requests_.wait_some()); }

}  // namespace weft
