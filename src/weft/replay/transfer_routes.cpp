// replay/transfer_routes: routes of the network, with more links after those of the network.

#include "weft/replay/transfer_routes.hpp"

#include <algorithm>

#include "weft/program/index.hpp"

namespace weft {

TransferRoutes::TransferRoutes(const ProgramSet& set, const ReplaySpeeds& speeds,
                               const Network& network, const std::vector<int>& node_of,
                               const std::vector<DataTransfer>& transfers)
    : set_(set),
      speeds_(speeds),
      network_(network),
      node_of_(node_of),
      nodes_(1 + *std::ranges::max_element(set.node_of_rank)) {
  if (speeds.message_speeds.empty()) return;
  for (const DataTransfer& each : transfers) {
    if (!is_far(each)) continue;
    Ends& ends = ends_.try_emplace(step(each), Ends{static_cast<int>(ends_.size())}).first->second;
    ends.bytes += each.bytes;
    ++ends.messages;
  }
}

std::vector<double> TransferRoutes::bytes_per_second() const {
  std::vector<double> all;
  for (const Link& link : network_.links()) all.push_back(link.speed.bytes_per_second);
  all.insert(all.end(), set_.forward.size(), speeds_.near_bytes_per_second);
  const std::size_t first = all.size(), of_exchange = 2 * at(nodes_);
  all.resize(first + of_exchange * ends_.size());
  for (const auto& [step, ends] : ends_)
    std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(first + of_exchange * at(ends.number)),
                of_exchange, message_speed(speeds_.message_speeds, ends.bytes / ends.messages));
  return all;
}

const std::vector<int>& TransferRoutes::route(const DataTransfer& transfer) {
  route_.clear();
  const auto links = static_cast<int>(network_.links().size());
  if (!is_far(transfer)) {
    route_.push_back(links + transfer.to);
    return route_;
  }
  const int from = node(transfer.from), to = node(transfer.to);
  network_.add_route(node_of_[at(from)], node_of_[at(to)], route_);
  if (ends_.empty()) return route_;
  const int ends =
      links + static_cast<int>(set_.forward.size()) + 2 * nodes_ * ends_.at(step(transfer)).number;
  route_.push_back(ends + from);
  route_.push_back(ends + nodes_ + to);
  return route_;
}

double TransferRoutes::latency(const DataTransfer& transfer) {
  if (!is_far(transfer)) return 0;
  double seconds = 0;
  for (const int link : route(transfer))
    if (at(link) < network_.links().size())
      seconds += network_.links()[at(link)].speed.latency_seconds;
  return seconds;
}

}  // namespace weft
