// comm/vote: a non-blocking reduction of three numbers.

#include "weft/comm/vote.hpp"

#include "weft/base/error.hpp"

namespace weft {

namespace {
// The three numbers, of which the maximum over all ranks counts: size - rank of a refusing rank;
// whether a rank chose 0; whether a rank chose 1.
enum Number { refusing, zeros, ones };
}  // namespace

void Vote::cast(int choice, bool refuses) {
  ensure(!is_open_);
  mine_ = {refuses ? comm_->size() - comm_->rank() : 0, !refuses && choice == 0,
           !refuses && choice == 1};
  is_open_ = true;
  if (comm_->size() == 1) {
    all_ = mine_;
    return;
  }
  check_mpi(MPI_Iallreduce(mine_.data(), all_.data(), static_cast<int>(mine_.size()), MPI_INT,
                           MPI_MAX, comm_->handle(), &request_),
            "MPI_Iallreduce");
}

bool Vote::test() {
  if (!is_open_) return true;
  int done = 1;
  if (request_ != MPI_REQUEST_NULL)
    check_mpi(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  if (done != 0) count();
  return done != 0;
}

void Vote::count() {
  is_open_ = false;
  outcome_.refusing = all_[refusing] > 0 ? comm_->size() - all_[refusing] : -1;
  outcome_.is_split = all_[zeros] > 0 && all_[ones] > 0;
  outcome_.somebody_began = all_[zeros] + all_[ones] > 0;
}

}  // namespace weft
