// comm/vote: a non-blocking reduction of some numbers, and a broadcast if a rank refuses.

#include "weft/comm/vote.hpp"

#include <bit>
#include <limits>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {
// What a rank that refuses has in place of the numbers of a ballot.
constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

constexpr std::size_t largest(int number) { return static_cast<std::size_t>(1 + 2 * number); }
constexpr std::size_t largest_complement(int number) { return largest(number) + 1; }
}  // namespace

struct Vote::Request {
  MPI_Request handle = MPI_REQUEST_NULL;
};

Vote::Vote(const Communicator& comm) : comm_(&comm), request_(std::make_unique<Request>()) {}

Vote::~Vote() = default;

void Vote::cast(const Ballot& ballot, const ErrorRecord& refusal) {
  ensure(!is_open_);
  is_counted_ = false;
  const bool refuses = refusal.has_error();
  mine_.fill(none);
  mine_.front() = refuses ? comm_->size() - comm_->rank() : 0;
  const auto enter = [&](Ballot::Number which, std::int64_t number) {
    mine_[largest(which)] = number;
    mine_[largest_complement(which)] = ~number;
  };
  if (!refuses) {
    enter(Ballot::of_direction, ballot.is_forward ? 1 : 0);
    enter(Ballot::of_callback, ballot.in_callback ? 1 : 0);
    enter(Ballot::of_scale, std::bit_cast<std::int64_t>(ballot.scale));
  }
  mine_.back() = !refuses && ballot.may_group ? 0 : 1;
  if (refuses) outcome_.reason = refusal;
  call_mpi();
  is_open_ = true;
}

void Vote::call_mpi() {
  if (comm_->size() == 1) {
    all_ = mine_;
    return;
  }
  // SimGrid's MPI_Iallreduce sends a message from every rank to every other one.
  if (blocks_in_collectives()) {
    check_mpi(MPI_Allreduce(mine_.data(), all_.data(), static_cast<int>(mine_.size()), MPI_INT64_T,
                            MPI_MAX, comm_->handle()),
              "MPI_Allreduce");
    return;
  }
  check_mpi(MPI_Iallreduce(mine_.data(), all_.data(), static_cast<int>(mine_.size()), MPI_INT64_T,
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
  outcome_.refusing = all_.front() > 0 ? comm_->size() - static_cast<int>(all_.front()) : -1;
  outcome_.differs.reset();
  outcome_.somebody_began = false;
  outcome_.all_may_group = all_.back() == 0;
  for (int n = Ballot::numbers - 1; n >= 0; --n) {
    const std::int64_t most = all_[largest(n)], complement = all_[largest_complement(n)];
    if (most == none && complement == none) continue;
    outcome_.somebody_began = true;
    if (most != ~complement) outcome_.differs = static_cast<Ballot::Number>(n);
  }
}

}  // namespace weft
