// exchange/wire: posts receives and sends, and chooses which send goes next.

#include "weft/exchange/wire.hpp"

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

Wire::Wire(const Communicator& comm, Communicator group, const ExchangeProgram& program,
           std::int64_t count_limit)
    : comm_(&comm),
      group_(std::move(group)),
      element_bytes_(program.element_bytes),
      window_(program) {
  for (const Message& message : program.receives) {
    receives_.push_back(posted(message, count_limit));
    requests_.add();
  }
  for (const Message& message : program.sends) {
    sends_.push_back(posted(message, count_limit));
    requests_.add();
  }
  for (const Collective& collective : program.collectives) {
    collectives_.emplace_back(program, collective, count_limit);
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
}

void Wire::submit(Task::Kind kind, int index) {
  const auto i = static_cast<std::size_t>(index);
  if (kind == Task::receive) {
    post_receive(i);
  } else if (kind == Task::collective) {
    const std::size_t number = receives_.size() + sends_.size() + i;
    collectives_[i].start(group_, *addresses_, requests_.start(number));
  } else {
    window_.add(index);
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

void Wire::take(std::span<const int> completed) {
  for (const int number : completed) {
    const auto i = static_cast<std::size_t>(number);
    if (i < receives_.size()) {
      completions_.push_back({Task::receive, number});
    } else if (i < receives_.size() + sends_.size()) {
      const int send = static_cast<int>(i - receives_.size());
      window_.complete(send);
      completions_.push_back({Task::send, send});
    } else {
      completions_.push_back(
          {Task::collective, static_cast<int>(i - receives_.size() - sends_.size())});
    }
  }
  send_waiting();
}

void Wire::progress() { take(requests_.test_some()); }

void Wire::progress_sends() {
  if (window_.limits() && window_.under_way() > 0)
    take(requests_.test_some(receives_.size()));
  else
    progress();
}

void Wire::wait() { take(requests_.wait_some()); }

}  // namespace weft
