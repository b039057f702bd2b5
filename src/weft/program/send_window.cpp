// program/send_window: counts the messages and the bytes that are under way.

#include "weft/program/send_window.hpp"

#include <algorithm>
#include <functional>

#include "weft/program/index.hpp"

namespace weft {

namespace {

// The next send is posted while fewer messages, or fewer bytes, than these are under way. Tiles
// grow with the problem: an eighth of all bytes was the best part between 1/64 and 1, for 128^3 and
// 192^3 points as slabs on 8 simulated hosts at 1 GB/s. Open MPI's TCP uses the two directions of a
// link one after the other if one rank is given much before the other: 256^3 points between two
// hosts at 2 Gbit/s took 520 to 580 ms with 16 MiB under way, and 330 ms with these limits.
constexpr int least_under_way = 2;
constexpr std::int64_t part_under_way = 8;
constexpr std::int64_t most_bytes_under_way = std::int64_t{1} << 20;

}  // namespace

SendWindow::SendWindow(const ExchangeProgram& exchange) : limits_(exchange.limits_sends) {
  std::int64_t all = 0;
  for (const Message& message : exchange.sends) {
    bytes_.push_back(message.count * exchange.element_bytes);
    all += bytes_.back();
  }
  least_bytes_under_way_ = std::min(all / part_under_way, most_bytes_under_way);
  waiting_.reserve(bytes_.size());
}

void SendWindow::begin() {
  waiting_.clear();
  under_way_ = 0;
  bytes_under_way_ = 0;
}

void SendWindow::add(int number) {
  waiting_.push_back(number);
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

int SendWindow::take() {
  if (waiting_.empty() ||
      (limits_ && under_way_ >= least_under_way && bytes_under_way_ >= least_bytes_under_way_))
    return -1;
  std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  const int number = waiting_.back();
  waiting_.pop_back();
  ++under_way_;
  bytes_under_way_ += bytes_[at(number)];
  return number;
}

void SendWindow::complete(int number) {
  --under_way_;
  bytes_under_way_ -= bytes_[at(number)];
}

}  // namespace weft
