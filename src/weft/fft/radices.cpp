// fft/radices: searches for the cheapest factorization.

#include "weft/fft/radices.hpp"

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

}  // namespace

std::vector<int> radices_of(std::int64_t n) { return cheapest(n, radices.front().points).radices; }

}  // namespace weft
