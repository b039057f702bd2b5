// exchange/collective_exchange: starting in order, completing in any.

#include "weft/exchange/collective_exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

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

void CollectiveExchange::add_collective(const std::vector<int>& takes, std::vector<int> brings) {
  for (const int message : takes)
    outgoing_message(message).collective = static_cast<int>(collectives_.size());
  collectives_.push_back({static_cast<int>(takes.size()), std::move(brings)});
  requests_.add();
}

void CollectiveExchange::add_kept(const MessageSides& sides) {
  for (int message = 0; message < sides.outgoing_messages(); ++message)
    if (const int arrival = sides.stays_as(message); arrival >= 0)
      outgoing_message(message).stays_as = arrival;
}

CollectiveExchange::Outgoing& CollectiveExchange::outgoing_message(int message) {
  const auto place = static_cast<std::size_t>(message);
  if (outgoing_of_.size() <= place) outgoing_of_.resize(place + 1);
  return outgoing_of_[place];
}

void CollectiveExchange::start(const Addresses& addresses) {
  Exchange::start(addresses);
  for (Collective& collective : collectives_) collective.missing = collective.takes;
  next_ = 0;
  start_due();
}

void CollectiveExchange::ready(int message) {
  const auto [collective, stays_as] = outgoing_of_[static_cast<std::size_t>(message)];
  if (stays_as >= 0) {
    arrivals_.push_back(stays_as);
    return;
  }
  --collectives_[static_cast<std::size_t>(collective)].missing;
  start_due();
}

void CollectiveExchange::start_due() {
  for (; next_ < collectives_.size() && collectives_[next_].missing == 0; ++next_)
    begin(next_, requests_.start(next_));
}

void CollectiveExchange::arrive(std::span<const int> collectives) {
  for (const int number : collectives) {
    const auto& brings = collectives_[static_cast<std::size_t>(number)].brings;
    arrivals_.insert(arrivals_.end(), brings.begin(), brings.end());
  }
}

}  // namespace weft
