// fft/lanes/radices: searches for the cheapest factorization.

#include "weft/fft/lanes/radices.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft {

namespace {

struct Factorization {
  std::vector<int> radices;
  double cost = 0;
};

// Uses no radix below `smallest`, nor one above `largest` first. The cost is infinite if there is
// no such factorization.
Factorization cheapest(std::int64_t n, int smallest, std::int64_t largest) {
  if (n == 1) return {};
  Factorization best{{}, std::numeric_limits<double>::infinity()};
  for (const Radix& radix : radices) {
    if (radix.points < smallest || radix.points > largest || n % radix.points != 0) continue;
    Factorization others = cheapest(n / radix.points, radix.points, n);
    if (radix.cost + others.cost >= best.cost) continue;
    best = std::move(others);
    best.cost += radix.cost;
    best.radices.insert(best.radices.begin(), radix.points);
  }
  return best;
}

double cost_of(int points) { return std::ranges::find(radices, points, &Radix::points)->cost; }

}  // namespace

std::vector<int> radices_of(std::int64_t n) {
  return cheapest(n, radices.front().points, n).radices;
}

std::vector<int> radices_of_steps(std::int64_t n) {
  return cheapest(n, radices.front().points, n - 1).radices;
}

std::vector<int> point_radices(std::int64_t n, std::int64_t lanes) {
  std::vector<int> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Radix& first : radices) {
    if (first.points % lanes != 0 || n % first.points != 0) continue;
    const std::int64_t points = n / first.points;
    const std::vector<int> others = radices_of(points);
    if (others.empty()) continue;
    // Lanes that have no point cost as much as others.
    const std::int64_t with_empty = (points + lanes - 1) / lanes * lanes;
    double cost = first.cost * static_cast<double>(with_empty) / static_cast<double>(points);
    for (const int radix : others) cost += cost_of(radix);
    if (cost >= least) continue;
    least = cost;
    best = {first.points};
    best.insert(best.end(), others.begin(), others.end());
  }
  return best;
}

}  // namespace weft
