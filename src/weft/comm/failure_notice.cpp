// comm/failure_notice: small messages, which MPI hands over without waiting for a receive.

#include "weft/comm/failure_notice.hpp"

#include <atomic>
#include <utility>
#include <vector>

#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {
// Over a network MPI may have to connect first, so it is called for this long. The application may
// end the process as soon as it hears of the failure.
constexpr double seconds_to_send = 0.05;

// Those that threads have left that may not call MPI, the last one first.
std::atomic<FailureNotice*> untold = nullptr;
}  // namespace

struct FailureNotice::Requests {
  std::vector<MPI_Request> handles;
};

FailureNotice::FailureNotice(std::int64_t number)
    : known_{number, {}}, end_(std::make_unique<Requests>()) {}

FailureNotice::~FailureNotice() = default;

void FailureNotice::use(const Communicator& comm) {
  // Rank 0 hears from all ranks, the others from rank 0.
  end_->handles.assign(comm.rank() == 0 ? static_cast<std::size_t>(comm.size()) - 1 : 2,
                       MPI_REQUEST_NULL);
  tag_ = comm.largest_tag();
  end_tag_ = tag_ - 1;
  comm_ = &comm;
}

void FailureNotice::keep(const ErrorRecord& failure) noexcept {
  if (!is_known()) known_.failure = failure;
}

void FailureNotice::tell(const ErrorRecord& failure) noexcept {
  if (is_known()) return;
  known_.failure = failure;
  send_to_all();
}

void FailureNotice::tell_later(const ErrorRecord& failure) noexcept {
  if (is_known()) return;
  known_.failure = failure;
  next_untold_ = untold;
  while (!untold.compare_exchange_weak(next_untold_, this)) {
  }
}

void FailureNotice::tell_late() noexcept {
  if (untold.load(std::memory_order_relaxed) == nullptr) return;
  for (FailureNotice* one = untold.exchange(nullptr); one != nullptr;)
    std::exchange(one, one->next_untold_)->send_to_all();
}

void FailureNotice::send_to_all() noexcept {
  if (comm_ == nullptr || !mpi_is_running()) return;
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank == comm_->rank()) continue;
    // A rank that cannot be reached has ended, and need not be told.
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Isend(&known_, sizeof known_, MPI_BYTE, rank, tag_, comm_->handle(), &request) ==
        MPI_SUCCESS)
      MPI_Request_free(&request);
  }
  for (const double begin = now(); comm_->size() > 1 && now() < begin + seconds_to_send;) {
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_->handle(), &is_there, MPI_STATUS_IGNORE);
  }
}

void FailureNotice::begin_end() {
  is_ending_ = true;
  const auto receive = [&](int from, MPI_Request& request) {
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, from, end_tag_, comm_->handle(), &request),
              "MPI_Irecv");
  };
  if (comm_->rank() == 0) {
    for (int rank = 1; rank < comm_->size(); ++rank)
      receive(rank, end_->handles[static_cast<std::size_t>(rank - 1)]);
    return;
  }
  check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, 0, end_tag_, comm_->handle(), &end_->handles[0]),
            "MPI_Isend");
  receive(0, end_->handles[1]);
}

// By messages, not by a barrier: other ranks may have started another run, whose vote would be
// mixed up with the barrier.
bool FailureNotice::has_ended_everywhere() {
  if (is_simulated || comm_ == nullptr || comm_->size() == 1) return true;
  if (!is_ending_) begin_end();
  const auto is_complete = [&] {
    int answer = 0;
    check_mpi(MPI_Testall(static_cast<int>(end_->handles.size()), end_->handles.data(), &answer,
                          MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return answer != 0;
  };
  if (!is_complete()) return false;
  if (comm_->rank() != 0 || has_told_end_) return true;
  has_told_end_ = true;
  for (int rank = 1; rank < comm_->size(); ++rank)
    check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, rank, end_tag_, comm_->handle(),
                        &end_->handles[static_cast<std::size_t>(rank - 1)]),
              "MPI_Isend");
  return is_complete();
}

void FailureNotice::give_up() noexcept {
  for (std::size_t i = 0; i < end_->handles.size(); ++i) {
    MPI_Request& request = end_->handles[i];
    if (request == MPI_REQUEST_NULL) continue;
    const bool is_receive = comm_->rank() == 0 ? !has_told_end_ : i == 1;
    if (is_receive) MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
}

bool FailureNotice::ask() {
  if (is_known()) return true;
  if (is_simulated || comm_ == nullptr || comm_->size() == 1) return false;
  int is_there = 0;
  MPI_Status status;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_->handle(), &is_there, &status), "MPI_Iprobe");
  if (is_there == 0) return false;
  Message come;
  check_mpi(MPI_Recv(&come, sizeof come, MPI_BYTE, status.MPI_SOURCE, tag_, comm_->handle(),
                     MPI_STATUS_IGNORE),
            "MPI_Recv");
  if (come.number == known_.number) keep(come.failure);
  return is_known();
}

}  // namespace weft
