// predicting/idle_ranks: counts ranks with points, and factors numbers of ranks.

#include "weft/predicting/idle_ranks.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weft/planning/route.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

WorkingRanks working_ranks(const Strategy& strategy, const Problem& problem, int ranks) {
  const Route route = route_of(strategy, problem, ranks);
  WorkingRanks fewest{{}, std::numeric_limits<int>::max()};
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    const auto* const pass = std::get_if<PassStage>(&strategy.stages[i]);
    if (pass == nullptr || pass->axes.empty()) continue;
    int working = 0;
    for (int rank = 0; rank < ranks; ++rank) working += route.before[i].volume(rank) > 0 ? 1 : 0;
    if (working < fewest.count) fewest = {to_string(Stage(PassStage{pass->axes})), working};
  }
  return fewest;
}

int usable_ranks(const Problem& problem, int ranks) {
  const Extents extents = output_extents(problem);
  std::vector<std::int64_t> points;
  for (int axis = 0; axis < extents.size(); ++axis) points.push_back(extents[axis]);
  std::ranges::sort(points);
  const std::int64_t rows = points.front(), columns = points.size() < 3 ? 1 : points[1];
  for (int count = ranks; count > 1; --count)
    for (int factor = 1; factor <= count && factor <= columns; ++factor)
      if (count % factor == 0 && count / factor <= rows) return count;
  return 1;
}

}  // namespace weft
