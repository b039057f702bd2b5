// exchange/requests: asks MPI which requests have completed.

#include "weft/exchange/requests.hpp"

#include "weft/base/ensure.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

void Requests::add() {
  requests_.push_back(MPI_REQUEST_NULL);
  completed_.push_back(0);
}

MPI_Request* Requests::start(std::size_t i) {
  ensure(requests_[i] == MPI_REQUEST_NULL, i);
  ++under_way_;
  return &requests_[i];
}

std::span<const int> Requests::test_some(std::size_t first) {
  return completed(first, MPI_Testsome, "MPI_Testsome");
}
std::span<const int> Requests::wait_some() { return completed(0, MPI_Waitsome, "MPI_Waitsome"); }

std::span<const int> Requests::completed(std::size_t first, Call call, const char* name) {
  if (under_way_ == 0) return {};
  int done = 0;
  check_mpi(call(narrow(static_cast<std::int64_t>(requests_.size() - first)),
                 requests_.data() + first, &done, completed_.data(), MPI_STATUSES_IGNORE),
            name);
  ensure(done != MPI_UNDEFINED && done <= under_way_, done, under_way_);
  under_way_ -= done;
  const auto found = std::span(completed_).first(static_cast<std::size_t>(done));
  for (int& number : found) {
    number += narrow(static_cast<std::int64_t>(first));
    requests_[static_cast<std::size_t>(number)] = MPI_REQUEST_NULL;
  }
  return found;
}

}  // namespace weft
