// networks/node_choice: a set of nodes that grows node by node.

#include "weft/networks/node_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

std::int64_t distance(const Network& network, int from, int to) {
  std::vector<int> route;
  network.add_route(from, to, route);
  return static_cast<std::int64_t>(route.size());
}

// The free node from which the routes to `count` others are shortest.
int best_seed(const Network& network, const std::vector<int>& free, int count) {
  // Distances of every free node to some of them, evenly chosen, where there are many.
  constexpr std::size_t most_compared = 256;
  std::vector<int> sample;
  const std::size_t step = (free.size() + most_compared - 1) / most_compared;
  for (std::size_t i = 0; i < free.size(); i += step) sample.push_back(free[i]);
  // Where many are near, the nearest `count` of the sample tell, not the far ones.
  const auto local = [&](int node) {
    std::vector<std::int64_t> all;
    all.reserve(sample.size());
    for (const int other : sample) all.push_back(distance(network, node, other));
    const auto near = std::min(all.size(), static_cast<std::size_t>(count));
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(near - 1), all.end());
    return std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(near),
                           std::int64_t{0});
  };
  int best = free.front();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const int node : sample)
    if (const std::int64_t sum = local(node); sum < least) {
      least = sum;
      best = node;
    }
  return best;
}

// The least number of free nodes among which `count` are chosen. A choice: growing compares each of
// them with each chosen one, which should take a few seconds even where routes are long.
std::size_t most_candidates(int count) {
  constexpr std::size_t most = 8192, most_routes = std::size_t{1} << 22;
  const auto needed = static_cast<std::size_t>(count);
  return std::max(needed, std::min(most, most_routes / needed));
}

// Nodes that are chosen one after the other, and how far the others are from them.
class Growth {
 public:
  Growth(const Network& network, const std::vector<int>& free, int count)
      : network_(network), count_(count) {
    if (count < 1 || count > static_cast<int>(free.size()))
      throw Error(Error::invalid, fmt::format("{} nodes of {} free ones", count, free.size()),
                  "ask for at least one node, and give at least as many free ones");
    const int seed = best_seed(network, free, count);
    free_ = nearest_to(seed, free, most_candidates(count));
    is_taken_.assign(free_.size(), false);
    sums_.assign(free_.size(), 0);
    take(static_cast<std::size_t>(std::find(free_.begin(), free_.end(), seed) - free_.begin()));
    if (free_.size() == static_cast<std::size_t>(count)) chosen_ = free_;
  }

  bool is_done() const { return static_cast<int>(chosen_.size()) == count_; }
  const std::vector<int>& chosen() const { return chosen_; }
  int node(std::size_t place) const { return free_[place]; }

  void take(std::size_t place) {
    is_taken_[place] = true;
    chosen_.push_back(free_[place]);
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (!is_taken_[i]) sums_[i] += distance(network_, free_[i], free_[place]);
  }

  // The places in the list of free nodes of up to `most` nodes that are not chosen, the nearest to
  // all that are chosen first.
  std::vector<std::size_t> nearest(std::size_t most) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (!is_taken_[i]) places.push_back(i);
    most = std::min(most, places.size());
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(most),
                      places.end(), [&](std::size_t a, std::size_t b) {
                        return std::pair(sums_[a], a) < std::pair(sums_[b], b);
                      });
    places.resize(most);
    return places;
  }

  std::vector<int> sorted() const {
    std::vector<int> nodes = chosen_;
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

 private:
  // Up to `most` of the free nodes, in their order.
  std::vector<int> nearest_to(int seed, const std::vector<int>& free, std::size_t most) const {
    if (free.size() <= most) return free;
    std::vector<std::pair<std::int64_t, std::size_t>> by_distance;
    for (std::size_t i = 0; i < free.size(); ++i)
      by_distance.emplace_back(distance(network_, free[i], seed), i);
    std::nth_element(by_distance.begin(), by_distance.begin() + static_cast<std::ptrdiff_t>(most),
                     by_distance.end());
    std::vector<std::size_t> places;
    places.reserve(most);
    for (std::size_t i = 0; i < most; ++i) places.push_back(by_distance[i].second);
    std::sort(places.begin(), places.end());
    std::vector<int> nodes;
    nodes.reserve(most);
    for (const std::size_t place : places) nodes.push_back(free[place]);
    return nodes;
  }

  const Network& network_;
  int count_;
  std::vector<int> free_;
  std::vector<int> chosen_;
  std::vector<bool> is_taken_;      // by place
  std::vector<std::int64_t> sums_;  // by place: of the distances to all chosen ones
};

// What the links take if all chosen nodes send one byte to each other.
class AllToAllLoads {
 public:
  explicit AllToAllLoads(const Network& network)
      : network_(network), seconds_(network.links().size(), 0.0) {}

  // What the busiest link would take with `node`, which is not chosen yet.
  double busiest_with(int node, const std::vector<int>& chosen) {
    add(node, chosen, 1);
    double most = busiest_;
    for (const int link : route_) most = std::max(most, seconds_[static_cast<std::size_t>(link)]);
    for (const int link : route_) change(link, -1);
    return most;
  }

  void take(int node, const std::vector<int>& chosen) {
    add(node, chosen, 1);
    for (const int link : route_)
      busiest_ = std::max(busiest_, seconds_[static_cast<std::size_t>(link)]);
  }

 private:
  // The links of the routes between the node and the others are in route_ then, once for each.
  void add(int node, const std::vector<int>& others, int bytes) {
    route_.clear();
    for (const int other : others) {
      network_.add_route(node, other, route_);
      network_.add_route(other, node, route_);
    }
    for (const int link : route_) change(link, bytes);
  }
  void change(int link, int bytes) {
    const auto at = static_cast<std::size_t>(link);
    seconds_[at] += bytes / network_.links()[at].speed.bytes_per_second;
  }

  const Network& network_;
  std::vector<double> seconds_;
  double busiest_ = 0;
  std::vector<int> route_;
};

// How many nodes are compared each time. Each takes the routes to all that are chosen.
std::size_t most_compared_of(int count) {
  constexpr std::size_t most = 128, most_routes = std::size_t{1} << 22;
  const auto needed = static_cast<std::size_t>(std::max(1, count));
  return std::min(most, most_routes / needed / needed);
}

}  // namespace

std::vector<int> connected_nodes(const Network& network, const std::vector<int>& free, int count) {
  Growth growth(network, free, count);
  while (!growth.is_done()) growth.take(growth.nearest(1).front());
  return growth.sorted();
}

std::vector<int> uncrowded_nodes(const Network& network, const std::vector<int>& free, int count) {
  const std::size_t most_compared = most_compared_of(count);
  if (most_compared < 2) return connected_nodes(network, free, count);
  Growth growth(network, free, count);
  AllToAllLoads loads(network);
  while (!growth.is_done()) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t place : growth.nearest(most_compared)) {
      const double seconds = loads.busiest_with(growth.node(place), growth.chosen());
      if (seconds >= least * (1 - 1e-9)) continue;  // equal but for rounding: the nearest
      least = seconds;
      best = place;
    }
    loads.take(growth.node(best), growth.chosen());
    growth.take(best);
  }
  return growth.sorted();
}

}  // namespace weft
