// fft/radices: the cheapest factors.

#include "weft/fft/radices.hpp"

#include <limits>
#include <utility>

namespace weft {

namespace {

struct Stages {
  std::vector<int> radices;
  double cost = 0;
};

// None shorter than `shortest`; what cannot be had costs infinitely much.
Stages stages_of(std::int64_t n, int shortest) {
  if (n == 1) return {};
  Stages best{{}, std::numeric_limits<double>::infinity()};
  for (const Radix& radix : radices) {
    if (radix.points < shortest || n % radix.points != 0) continue;
    Stages rest = stages_of(n / radix.points, radix.points);
    if (radix.cost + rest.cost >= best.cost) continue;
    best = std::move(rest);
    best.cost += radix.cost;
    best.radices.insert(best.radices.begin(), radix.points);
  }
  return best;
}

}  // namespace

std::vector<int> radices_of(std::int64_t n) { return stages_of(n, radices.front().points).radices; }

}  // namespace weft
