// replay/transfer_routes: routes of the network, with more links after those of the network.

#include "weft/replay/transfer_routes.hpp"

#include <algorithm>
#include <cmath>

#include "weft/program/index.hpp"

namespace weft {

namespace {

int size_class(double bytes) {
  constexpr double classes_of_a_power = 2;
  return static_cast<int>(std::lround(classes_of_a_power * std::log2(std::max(1.0, bytes))));
}

}  // namespace

TransferRoutes::TransferRoutes(const ProgramSet& set, const ReplaySpeeds& speeds,
                               const Network& network, const std::vector<int>& node_of,
                               const std::vector<DataTransfer>& transfers)
    : set_(set),
      speeds_(speeds),
      network_(network),
      node_of_(node_of),
      nodes_(1 + *std::ranges::max_element(set.node_of_rank)) {
  if (speeds.message_speeds.empty()) return;
  for (const DataTransfer& each : transfers)
    if (is_far(each))
      sizes_.try_emplace(size_class(each.bytes),
                         SizeClass{static_cast<int>(sizes_.size()),
                                   message_speed(speeds.message_speeds, each.bytes)});
}

std::vector<double> TransferRoutes::bytes_per_second() const {
  std::vector<double> all;
  for (const Link& link : network_.links()) all.push_back(link.speed.bytes_per_second);
  all.insert(all.end(), set_.forward.size(), speeds_.near_bytes_per_second);
  const std::size_t first = all.size(), of_a_size = 2 * at(nodes_);
  all.resize(first + of_a_size * sizes_.size());
  for (const auto& [bytes, size] : sizes_)
    std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(first + of_a_size * at(size.number)),
                of_a_size, size.bytes_per_second);
  return all;
}

const std::vector<int>& TransferRoutes::route(const DataTransfer& of) {
  route_.clear();
  const auto links = static_cast<int>(network_.links().size());
  if (!is_far(of)) {
    route_.push_back(links + of.to);
    return route_;
  }
  const int from = node(of.from), to = node(of.to);
  network_.add_route(node_of_[at(from)], node_of_[at(to)], route_);
  if (sizes_.empty()) return route_;
  const int ends = links + static_cast<int>(set_.forward.size()) +
                   2 * nodes_ * sizes_.at(size_class(of.bytes)).number;
  route_.push_back(ends + from);
  route_.push_back(ends + nodes_ + to);
  return route_;
}

double TransferRoutes::latency(const DataTransfer& of) {
  if (!is_far(of)) return 0;
  double seconds = 0;
  for (const int link : route(of))
    if (at(link) < network_.links().size())
      seconds += network_.links()[at(link)].speed.latency_seconds;
  return seconds;
}

}  // namespace weft
