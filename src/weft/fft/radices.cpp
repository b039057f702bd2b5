// fft/radices: searches for the cheapest factorization.

#include "weft/fft/radices.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft {

namespace {

struct Factorization {
  std::vector<int> radices;
  double cost = 0;
};

// Uses no radix below `smallest`. The cost is infinite if there is no such factorization.
Factorization cheapest(std::int64_t n, int smallest) {
  if (n == 1) return {};
  Factorization best{{}, std::numeric_limits<double>::infinity()};
  for (const Radix& radix : radices) {
    if (radix.points < smallest || n % radix.points != 0) continue;
    Factorization others = cheapest(n / radix.points, radix.points);
    if (radix.cost + others.cost >= best.cost) continue;
    best = std::move(others);
    best.cost += radix.cost;
    best.radices.insert(best.radices.begin(), radix.points);
  }
  return best;
}

double cost_of(int points) { return std::ranges::find(radices, points, &Radix::points)->cost; }

}  // namespace

std::vector<int> radices_of(std::int64_t n) { return cheapest(n, radices.front().points).radices; }

std::vector<int> point_radices(std::int64_t n, std::int64_t lanes) {
  Factorization best{{}, std::numeric_limits<double>::infinity()};
  for (const int first : end_radices)
    for (const int last : end_radices) {
      if (first % lanes != 0 || last % lanes != 0 || n % (first * last) != 0) continue;
      const Factorization between = cheapest(n / (first * last), radices.front().points);
      const double cost = cost_of(first) + between.cost + cost_of(last);
      if (cost >= best.cost) continue;
      best = {{first}, cost};
      best.radices.insert(best.radices.end(), between.radices.begin(), between.radices.end());
      best.radices.push_back(last);
    }
  return best.radices;
}

}  // namespace weft
