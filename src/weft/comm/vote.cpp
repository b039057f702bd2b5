// comm/vote: a non-blocking reduction of five numbers, and a broadcast if a rank refuses.

#include "weft/comm/vote.hpp"

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {
// The five numbers, of which the maximum over all ranks counts: size - rank of a refusing rank;
// whether a rank chose 0; whether a rank chose 1; whether a rank did so in a callback; whether a
// rank did so elsewhere.
enum Number { refusing, zeros, ones, in_callbacks, elsewhere };
}  // namespace

struct Vote::Request {
  MPI_Request handle = MPI_REQUEST_NULL;
};

Vote::Vote(const Communicator& comm) : comm_(&comm), request_(std::make_unique<Request>()) {}

Vote::~Vote() = default;

void Vote::cast(int choice, bool in_callback, const ErrorRecord& refusal) {
  ensure(!is_open_);
  const bool refuses = refusal.has_error();
  mine_ = {refuses ? comm_->size() - comm_->rank() : 0, !refuses && choice == 0,
           !refuses && choice == 1, !refuses && in_callback, !refuses && !in_callback};
  if (refuses) outcome_.reason = refusal;
  is_open_ = true;
  is_counted_ = false;
  if (comm_->size() == 1) {
    all_ = mine_;
    return;
  }
  // SimGrid's MPI_Iallreduce sends a message from every rank to every other one.
  if (blocks_in_collectives()) {
    check_mpi(MPI_Allreduce(mine_.data(), all_.data(), static_cast<int>(mine_.size()), MPI_INT,
                            MPI_MAX, comm_->handle()),
              "MPI_Allreduce");
    return;
  }
  check_mpi(MPI_Iallreduce(mine_.data(), all_.data(), static_cast<int>(mine_.size()), MPI_INT,
                           MPI_MAX, comm_->handle(), &request_->handle),
            "MPI_Iallreduce");
}

bool Vote::test() {
  if (!is_open_) return true;
  const auto has_completed = [&] {
    int done = 1;
    if (request_->handle != MPI_REQUEST_NULL)
      check_mpi(MPI_Test(&request_->handle, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  };
  if (!has_completed()) return false;
  if (!is_counted_) {
    count();
    is_counted_ = true;
    if (outcome_.refusing >= 0 && comm_->size() > 1) {
      check_mpi(MPI_Ibcast(&outcome_.reason, sizeof outcome_.reason, MPI_BYTE, outcome_.refusing,
                           comm_->handle(), &request_->handle),
                "MPI_Ibcast");
      if (!has_completed()) return false;
    }
  }
  is_open_ = false;
  return true;
}

void Vote::count() {
  outcome_.refusing = all_[refusing] > 0 ? comm_->size() - all_[refusing] : -1;
  outcome_.is_split = all_[zeros] > 0 && all_[ones] > 0;
  outcome_.somebody_began = all_[zeros] + all_[ones] > 0;
  outcome_.is_of_callbacks_and_others = all_[in_callbacks] > 0 && all_[elsewhere] > 0;
}

}  // namespace weft
