// exchange/posted: isend and irecv.

#include "weft/exchange/posted.hpp"

#include "weft/base/error.hpp"

namespace weft {

void Posted::add(const Message& message) {
  const std::int64_t offset = message.offset * element_bytes_;
  const int tag = first_tag_ + message.cell;
  if (message.count <= count_limit_)
    messages_.push_back({message.peer, tag, offset, narrow(message.count), {}});
  else
    messages_.push_back(
        {message.peer, tag, offset, 1, run_type(carrier(element_bytes_), message.count)});
  requests_.add();
}

void Posted::add_receive(const Message& message) {
  ensure(receives_ == messages_.size());
  add(message);
  ++receives_;
}

void Posted::add_send(const Message& message) { add(message); }

void Posted::receive(std::size_t i, std::byte* base) {
  const One& one = messages_[i];
  check_mpi(MPI_Irecv(base + one.offset_bytes, one.count, type_of(one), one.peer, one.tag,
                      comm_->handle(), requests_.start(i)),
            "MPI_Irecv");
}

void Posted::send(std::size_t i, const std::byte* base) {
  const One& one = messages_[receives_ + i];
  check_mpi(MPI_Isend(base + one.offset_bytes, one.count, type_of(one), one.peer, one.tag,
                      comm_->handle(), requests_.start(receives_ + i)),
            "MPI_Isend");
}

}  // namespace weft
