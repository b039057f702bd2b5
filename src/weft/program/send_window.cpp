// program/send_window: counts the messages and the bytes that are under way.

#include "weft/program/send_window.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "weft/program/index.hpp"

namespace weft {

namespace {

using SendLimit = ExchangeProgram::SendLimit;

// The next send is posted while fewer messages, or fewer bytes, than these are under way.
constexpr int least_under_way = 2;
// How much of all sends of a rank may be under way. Tiles grow with the problem: an eighth of all
// bytes was the best part between 1/64 and 1, for 128^3 and 192^3 points as slabs on 8 simulated
// hosts at 1 GB/s. Open MPI's TCP uses the two directions of a link one after the other if one rank
// is given much before the other: 256^3 points between two hosts at 2 Gbit/s took 520 to 580 ms
// with 16 MiB under way, and 330 ms with these limits.
constexpr std::int64_t part_under_way = 8;
constexpr std::int64_t most_bytes_under_way = std::int64_t{1} << 20;
// How many sends to all peers together may be under way, of which each peer has its part.
//
// A large message asks its receiver, and the answer waits behind what the receiver itself has been
// given to send: over TCP both stand in one queue. With few messages under way each node waits for
// the answer of the other, and the link carries one direction after the other. Between two hosts at
// 10 Gbit/s, 512^3 points took 1660, 1430, 1210, 1200 and 1160 ms with at least 2, 4, 6, 8 and 12
// messages under way, and 1200 ms without a limit; 256^3 points 180, 168, 150, 145 and 141, and 142
// with 16, 24 and all. With each send before its receive, 256^3 points take 151, 148, 144 and 144
// with 4, 8, 16 and 64. Eight simulated hosts take 0.9 of the time with few that they take with
// all.
constexpr int messages_under_way_to_all = 16;
// At 1 Gbit/s without a limit, where messages are given to MPI long before they are sent, those of
// the next exchange are sent later: 256^3 points took 1161 ms, and 1149, 1146, 1145, 1158 and 1152
// with 2, 4, 8, 16 and 32 MiB.
constexpr std::int64_t bytes_under_way_to_all = std::int64_t{4} << 20;

struct Limits {
  int messages;
  std::int64_t bytes;
};

Limits limits_of(SendLimit limit, std::int64_t all, std::size_t lanes) {
  if (limit != SendLimit::of_each_peer)
    return {least_under_way, std::min(all / part_under_way, most_bytes_under_way)};
  const auto peers = static_cast<int>(std::max<std::size_t>(1, lanes));
  return {std::max(least_under_way, messages_under_way_to_all / peers),
          bytes_under_way_to_all / peers};
}

}  // namespace

SendWindow::SendWindow(const ExchangeProgram& exchange)
    : limits_(exchange.send_limit != SendLimit::none) {
  std::int64_t all = 0;
  std::map<int, std::size_t> lane_of_peer;
  for (const Message& message : exchange.sends) {
    bytes_.push_back(message.count * exchange.element_bytes);
    all += bytes_.back();
    const int peer = exchange.send_limit == SendLimit::of_each_peer ? message.peer : 0;
    lane_.push_back(lane_of_peer.try_emplace(peer, lane_of_peer.size()).first->second);
  }
  const Limits least = limits_of(exchange.send_limit, all, lane_of_peer.size());
  least_messages_under_way_ = least.messages;
  least_bytes_under_way_ = least.bytes;
  lanes_.resize(lane_of_peer.size());
  std::vector<std::size_t> sends(lanes_.size());
  for (const std::size_t lane : lane_) ++sends[lane];
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    lanes_[lane].waiting.reserve(sends[lane]);
  to_look_at_.reserve(lanes_.size());
}

void SendWindow::begin() {
  for (Lane& lane : lanes_) {
    lane.waiting.clear();
    lane.under_way = 0;
    lane.bytes_under_way = 0;
    lane.is_listed = false;
  }
  to_look_at_.clear();
  waiting_ = under_way_ = 0;
}

bool SendWindow::has_room(const Lane& lane) const {
  return !limits_ || lane.under_way < least_messages_under_way_ ||
         lane.bytes_under_way < least_bytes_under_way_;
}

void SendWindow::look_at(std::size_t lane) {
  if (lanes_[lane].is_listed) return;
  lanes_[lane].is_listed = true;
  to_look_at_.push_back(lane);
}

void SendWindow::add(int number) {
  const std::size_t number_of_lane = lane_[at(number)];
  Lane& lane = lanes_[number_of_lane];
  lane.waiting.push_back(number);
  std::push_heap(lane.waiting.begin(), lane.waiting.end(), std::greater<>());
  ++waiting_;
  look_at(number_of_lane);
}

int SendWindow::take() {
  while (!to_look_at_.empty()) {
    Lane& lane = lanes_[to_look_at_.back()];
    if (lane.waiting.empty() || !has_room(lane)) {
      lane.is_listed = false;
      to_look_at_.pop_back();
      continue;
    }
    std::pop_heap(lane.waiting.begin(), lane.waiting.end(), std::greater<>());
    const int number = lane.waiting.back();
    lane.waiting.pop_back();
    ++lane.under_way;
    lane.bytes_under_way += bytes_[at(number)];
    --waiting_;
    ++under_way_;
    return number;
  }
  return -1;
}

void SendWindow::complete(int number) {
  const std::size_t number_of_lane = lane_[at(number)];
  Lane& lane = lanes_[number_of_lane];
  --lane.under_way;
  lane.bytes_under_way -= bytes_[at(number)];
  --under_way_;
  look_at(number_of_lane);
}

}  // namespace weft
