// comm/failure_notice: small messages, which MPI hands over without waiting for a receive.

#include "weft/comm/failure_notice.hpp"

#include <utility>

#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"

namespace weft {

namespace {
// Over a network MPI may have to connect first, so it is called for this long. The application may
// end the process as soon as it hears of the failure.
constexpr double seconds_to_send = 0.05;
}  // namespace

FailureNotice::FailureNotice(std::shared_ptr<const Communicator> comm, std::int64_t number)
    : comm_(std::move(comm)), tag_(comm_->largest_tag()), known_{number, {}} {}

void FailureNotice::keep(const ErrorRecord& failure) noexcept {
  if (!is_known()) known_.failure = failure;
}

void FailureNotice::tell(const ErrorRecord& failure) noexcept {
  if (is_known()) return;
  known_.failure = failure;
  if (!mpi_is_running()) return;
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

bool FailureNotice::has_ended_everywhere() {
  if (is_simulated || comm_->size() == 1) return true;
  int is_complete = 0;
  if (!is_ending_) check_mpi(MPI_Ibarrier(comm_->handle(), &end_), "MPI_Ibarrier");
  is_ending_ = true;
  check_mpi(MPI_Test(&end_, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
  return is_complete != 0;
}

bool FailureNotice::ask() {
  if (is_known()) return true;
  if (is_simulated || comm_->size() == 1) return false;
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
