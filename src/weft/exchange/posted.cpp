// exchange/posted: isend, irecv and waiting.

#include "weft/exchange/posted.hpp"

#include <utility>

#include "weft/base/error.hpp"
#include "weft/exchange/exchange.hpp"

namespace weft {

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
  const int tag = message.cell * ExchangeSpec::most_at_once + number_;
  if (message.count <= count_limit_)
    messages_.push_back({message.peer, tag, offset, narrow(message.count), {}});
  else
    messages_.push_back(
        {message.peer, tag, offset, 1, run_type(carrier(element_bytes_), message.count)});
  requests_.push_back(MPI_REQUEST_NULL);
  completed_.push_back(0);
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
                      comm_->handle(), &requests_[i]),
            "MPI_Irecv");
  ++under_way_;
}

void Posted::send(std::size_t i, const std::byte* base) {
  const One& one = messages_[receives_ + i];
  check_mpi(MPI_Isend(base + one.offset_bytes, one.count, type_of(one), one.peer, one.tag,
                      comm_->handle(), &requests_[receives_ + i]),
            "MPI_Isend");
  ++under_way_;
}

// How many from `first` on have completed; their places are in completed_.
int Posted::completed(std::size_t first, bool waits) {
  if (under_way_ == 0) return 0;
  int done = 0;
  const int all = narrow(static_cast<std::int64_t>(requests_.size() - first));
  MPI_Request* requests = requests_.data() + first;
  if (waits)
    check_mpi(MPI_Waitsome(all, requests, &done, completed_.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitsome");
  else
    check_mpi(MPI_Testsome(all, requests, &done, completed_.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
  ensure(done != MPI_UNDEFINED && std::cmp_less_equal(done, under_way_), done, under_way_);
  under_way_ -= static_cast<std::size_t>(done);
  for (int i = 0; i < done; ++i)
    completed_[static_cast<std::size_t>(i)] += narrow(static_cast<std::int64_t>(first));
  return done;
}

}  // namespace weft
