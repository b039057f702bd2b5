// exchange/posted: isend, irecv and waiting.

#include "weft/exchange/posted.hpp"

#include "weft/base/error.hpp"

namespace weft {

namespace {
constexpr int tag = 0;  // the communicator is the plan's own, and pairs exchange in order
}

Posted::~Posted() {
  if (!mpi_is_running()) return;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    if (i < receives_) {
      MPI_Cancel(&requests_[i]);
      MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
    } else {
      MPI_Request_free(&requests_[i]);
    }
  }
}

void Posted::add(const Message& message) {
  const std::int64_t offset = message.offset * element_bytes_;
  if (message.count <= count_limit_)
    messages_.push_back({message.peer, offset, narrow(message.count), {}});
  else
    messages_.push_back(
        {message.peer, offset, 1, run_type(carrier(element_bytes_), message.count)});
  requests_.push_back(MPI_REQUEST_NULL);
}

void Posted::add_receive(const Message& message) {
  ensure(receives_ == messages_.size());
  add(message);
  ++receives_;
}

void Posted::add_send(const Message& message) { add(message); }

void Posted::receive(std::size_t i, std::byte* base) {
  const One& one = messages_[i];
  check_mpi(MPI_Irecv(base + one.offset_bytes, one.count, type_of(one), one.peer, tag,
                      comm_->handle(), &requests_[i]),
            "MPI_Irecv");
}

void Posted::send(std::size_t i, const std::byte* base) {
  const One& one = messages_[receives_ + i];
  check_mpi(MPI_Isend(base + one.offset_bytes, one.count, type_of(one), one.peer, tag,
                      comm_->handle(), &requests_[receives_ + i]),
            "MPI_Isend");
}

void Posted::wait(std::size_t i) {
  check_mpi(MPI_Wait(&requests_[i], MPI_STATUS_IGNORE), "MPI_Wait");
}

void Posted::wait_all() {
  check_mpi(MPI_Waitall(narrow(static_cast<std::int64_t>(requests_.size())), requests_.data(),
                        MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

}  // namespace weft
