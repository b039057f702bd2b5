// exchange/collectives: starting in order, completing in any.

#include "weft/exchange/collectives.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "weft/base/error.hpp"

namespace weft {

std::vector<int> cells_as_computed(const Cutting& cutting) {
  std::vector<int> cells;
  for (int source = 0; source < cutting.source_parts; ++source)
    for (int target = 0; target < cutting.target_parts; ++target)
      cells.push_back(cutting.cell(source, target));
  return cells;
}

std::vector<std::int64_t> largest_by_cell(const Communicator& comm,
                                          const std::vector<std::int64_t>& mine) {
  std::vector<std::int64_t> largest(mine.size(), 0);
  for (const auto& theirs : comm.gather_all(mine))
    for (std::size_t cell = 0; cell < largest.size(); ++cell)
      largest[cell] = std::max(largest[cell], theirs[cell]);
  return largest;
}

Ends apart(const void* from, bool sends, void* to) {
  static std::max_align_t elsewhere;
  if (from != to) return {from, to};
  if (sends) return {from, &elsewhere};
  return {&elsewhere, to};
}

std::vector<int> messages_in(const Messages& side, int cell) {
  std::vector<int> numbers;
  for (std::size_t m = 0; m < side.messages.size(); ++m)
    if (side.messages[m].cell == cell) numbers.push_back(static_cast<int>(m));
  return numbers;
}

Collectives::~Collectives() {
  if (under_way_ == 0 || !mpi_is_running()) return;
  int all_done = 0;
  MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all_done, MPI_STATUSES_IGNORE);
  if (all_done != 0) return;
  static auto& left_over = *new std::vector<std::shared_ptr<const void>>;
  left_over.push_back(std::move(arguments_));
}

void Collectives::add(const std::vector<int>& takes, std::vector<int> brings) {
  for (const int message : takes) {
    const auto place = static_cast<std::size_t>(message);
    if (taken_by_.size() <= place) taken_by_.resize(place + 1, -1);
    taken_by_[place] = static_cast<int>(all_.size());
  }
  all_.push_back({static_cast<int>(takes.size()), std::move(brings)});
  requests_.push_back(MPI_REQUEST_NULL);
  completed_.push_back(0);
}

void Collectives::reset() {
  for (One& one : all_) one.missing = one.takes;
  next_ = 0;
}

void Collectives::ready(int message) {
  const int taken_by = taken_by_[static_cast<std::size_t>(message)];
  --all_[static_cast<std::size_t>(taken_by)].missing;
}

void Collectives::complete(bool waits, std::vector<int>& arrivals) {
  if (under_way_ == 0) return;
  int done = 0;
  const int all = static_cast<int>(requests_.size());
  if (waits)
    check_mpi(MPI_Waitsome(all, requests_.data(), &done, completed_.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitsome");
  else
    check_mpi(MPI_Testsome(all, requests_.data(), &done, completed_.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
  ensure(done != MPI_UNDEFINED && std::cmp_less_equal(done, under_way_), done, under_way_);
  under_way_ -= static_cast<std::size_t>(done);
  for (int i = 0; i < done; ++i) {
    const auto place = static_cast<std::size_t>(completed_[static_cast<std::size_t>(i)]);
    const auto& brings = all_[place].brings;
    arrivals.insert(arrivals.end(), brings.begin(), brings.end());
  }
}

}  // namespace weft
