// networks/rank_order: curves over process grids and tori, and a search by swaps.

#include "weft/networks/rank_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// The bits of the coordinates in turn, the first coordinate's the highest of each turn.
std::uint64_t morton_number(const std::vector<int>& at) {
  std::uint64_t number = 0;
  for (int bit = 15; bit >= 0; --bit)
    for (const int coordinate : at)
      number = number << 1 | (static_cast<std::uint64_t>(coordinate) >> bit & 1U);
  return number;
}

// The distance along the Hilbert curve of a square of 2^15 points a side (D. Hilbert, 1891).
std::uint64_t hilbert_number(std::vector<int> at) {
  std::uint64_t number = 0;
  for (int side = 1 << 14; side > 0; side /= 2) {
    const bool right = (at[0] & side) != 0, upper = (at[1] & side) != 0;
    number += static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side) *
              ((right ? 3U : 0U) ^ (upper ? 1U : 0U));
    if (upper) continue;
    if (right) {
      at[0] = side - 1 - (at[0] & (side - 1));
      at[1] = side - 1 - (at[1] & (side - 1));
    }
    std::swap(at[0], at[1]);
  }
  return number;
}

// 0 to count-1, by ascending number.
template <class Number>
std::vector<int> sorted_by(int count, const Number& number) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return number(a) < number(b); });
  return order;
}

// Node order[i] of the job gets the i-th place.
std::vector<int> in_order(const std::vector<int>& order, const std::vector<int>& places) {
  std::vector<int> placed(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    placed[static_cast<std::size_t>(order[i])] = places[i];
  return placed;
}

// The loads of all links by the messages of one exchange, for nodes that may change their places.
class MovableLoads {
 public:
  MovableLoads(const Network& network, const NodeMessages& messages, std::size_t nodes)
      : network_(network), seconds_(network.links().size(), 0.0), of_node_(nodes) {
    for (const NodeMessage& message : messages) {
      of_node_[static_cast<std::size_t>(message.from)].push_back(message);
      if (message.to != message.from)
        of_node_[static_cast<std::size_t>(message.to)].push_back(message);
    }
  }

  // Adds (times 1) or removes (times -1) the messages from and to `node`, but not those with
  // `except`.
  void change(int node, int except, double times, const std::vector<int>& places) {
    for (const NodeMessage& message : of_node_[static_cast<std::size_t>(node)]) {
      if (message.from == except || message.to == except) continue;
      route_.clear();
      network_.add_route(places[static_cast<std::size_t>(message.from)],
                         places[static_cast<std::size_t>(message.to)], route_);
      for (const int link : route_) {
        double& seconds = seconds_[static_cast<std::size_t>(link)];
        unevenness_ -= power(seconds);
        seconds += times * message.bytes /
                   network_.links()[static_cast<std::size_t>(link)].speed.bytes_per_second;
        unevenness_ += power(seconds);
      }
    }
  }
  // Grows with the busiest links, and with how many there are.
  double unevenness() const { return unevenness_; }
  void set_scale(double seconds) { scale_ = seconds; }

 private:
  // A high power, so that little is added by links that are not among the busiest.
  double power(double seconds) const {
    const double square = seconds / scale_ * (seconds / scale_), fourth = square * square;
    return fourth * fourth;
  }

  const Network& network_;
  std::vector<double> seconds_;
  std::vector<NodeMessages> of_node_;
  std::vector<int> route_;
  double unevenness_ = 0, scale_ = 1;
};

}  // namespace

std::vector<RankOrder> named_orders(const NetworkShape& shape, const Dims& grid,
                                    const std::vector<int>& places) {
  const auto count = static_cast<int>(places.size());
  ensure(grid.size() == 2 && grid[0] * grid[1] == count, to_string(grid), count);
  const auto at = [&](int node) {
    return std::vector<int>{static_cast<int>(node / grid[1]), static_cast<int>(node % grid[1])};
  };
  const std::vector<int> morton =
      sorted_by(count, [&](int node) { return morton_number(at(node)); });
  std::vector<RankOrder> orders{
      {"launched", places},
      {"morton", in_order(morton, places)},
      {"hilbert",
       in_order(sorted_by(count, [&](int node) { return hilbert_number(at(node)); }), places)}};
  if (const auto* torus = std::get_if<Torus>(&shape)) {
    const auto number = [&](int i) {
      std::vector<int> coordinates;
      int rest = places[static_cast<std::size_t>(i)];
      for (const int extent : torus->extents) {
        coordinates.insert(coordinates.begin(), rest % extent);
        rest /= extent;
      }
      return morton_number(coordinates);
    };
    std::vector<int> blocks;
    for (const int i : sorted_by(count, number))
      blocks.push_back(places[static_cast<std::size_t>(i)]);
    orders.push_back({"blocks", in_order(morton, blocks)});
  }
  return orders;
}

double link_seconds(const Network& network, const std::vector<NodeMessages>& exchanges,
                    const std::vector<int>& places) {
  double seconds = 0;
  for (const NodeMessages& messages : exchanges) {
    LinkLoads loads(network);
    for (const NodeMessage& message : messages)
      loads.add(places[static_cast<std::size_t>(message.from)],
                places[static_cast<std::size_t>(message.to)], message.bytes);
    seconds += loads.busiest().seconds;
  }
  return seconds;
}

std::int64_t affordable_swaps(const Network& network, const std::vector<NodeMessages>& exchanges,
                              const std::vector<int>& places) {
  constexpr double most_changes = 4e8;
  double uses = 0;
  std::vector<int> route;
  for (const NodeMessages& messages : exchanges)
    for (const NodeMessage& message : messages) {
      route.clear();
      network.add_route(places[static_cast<std::size_t>(message.from)],
                        places[static_cast<std::size_t>(message.to)], route);
      uses += static_cast<double>(route.size());
    }
  // The messages to and from two nodes are moved, and mostly moved back: off and on again each
  // time.
  constexpr double times = 16;
  if (uses == 0) return 0;
  return static_cast<std::int64_t>(most_changes * static_cast<double>(places.size()) /
                                   (times * uses));
}

std::vector<int> improved_order(const Network& network, const std::vector<NodeMessages>& exchanges,
                                const std::vector<int>& start, std::int64_t swaps) {
  const double before = link_seconds(network, exchanges, start);
  if (start.size() < 2 || before == 0) return start;
  std::vector<int> places = start;
  std::vector<MovableLoads> loads;
  for (const NodeMessages& messages : exchanges) {
    loads.emplace_back(network, messages, places.size());
    // The exchanges follow each other, so that what counts is how much longer each takes.
    loads.back().set_scale(before);
  }
  std::mt19937_64 random(places.size());
  const auto change = [&](int a, int b, double times) {
    for (MovableLoads& of : loads) {
      of.change(a, -1, times, places);
      of.change(b, a, times, places);
    }
  };
  // Every message once.
  for (std::size_t node = 0; node < places.size(); ++node)
    for (MovableLoads& of : loads) of.change(static_cast<int>(node), -1, 0.5, places);
  const auto unevenness = [&] {
    double sum = 0;
    for (const MovableLoads& of : loads) sum += of.unevenness();
    return sum;
  };
  for (std::int64_t i = 0; i < swaps; ++i) {
    const auto a = static_cast<int>(random() % places.size());
    const auto b = static_cast<int>(random() % places.size());
    if (a == b) continue;
    const double now = unevenness();
    const auto swap = [&] {
      change(a, b, -1);
      std::swap(places[static_cast<std::size_t>(a)], places[static_cast<std::size_t>(b)]);
      change(a, b, 1);
    };
    swap();
    if (unevenness() >= now) swap();
  }
  return link_seconds(network, exchanges, places) < before ? places : start;
}

}  // namespace weft
