// planning/split_candidates: looks for the longest lines, and for divisors of their length.

#include "weft/planning/split_candidates.hpp"

#include <optional>
#include <utility>

#include "weft/machine/block_lines.hpp"
#include "weft/planning/constants.hpp"
#include "weft/planning/pass_grouping.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

namespace {

// The largest divisor of n that is at most `most`.
std::int64_t divisor_up_to(std::int64_t most, std::int64_t n) {
  std::int64_t best = 1;
  for (std::int64_t d = 2; d <= most && d * d <= n; ++d)
    if (n % d == 0) best = d;
  return best;
}

bool can_be_split(const Problem& problem, int axis) {
  return basis_of(problem, axis) == Basis::fourier && axis != half_axis(problem) &&
         !axis_transform(problem, axis).is_pruned();
}

// The axis whose lines no block can hold, else the longest; as two of about the same length, which
// blocks can hold.
SplitCandidates splits_on_devices(const Problem& problem, const Machine& machine) {
  const std::int64_t number_bytes = Scalar{problem.precision, true}.bytes();
  const auto fits = [&](std::int64_t points) {
    return block_holds(points, number_bytes, machine.block);
  };
  SplitCandidates found;
  int longest = -1;
  std::pair<bool, std::int64_t> most;
  for (const int axis : problem.axes) {
    if (!can_be_split(problem, axis)) continue;
    const std::int64_t n = problem.extents[axis];
    const std::pair length(!fits(n), n);
    if (longest >= 0 && length <= most) continue;
    longest = axis;
    most = length;
  }
  if (longest < 0) return found;
  const std::int64_t n = most.second;
  for (std::int64_t first = divisor_up_to(n, n); first > 1 && found.ways.empty();
       first = divisor_up_to(first - 1, n))
    if (fits(first) && fits(n / first)) found.ways.push_back({longest, first, n / first});
  found.is_needed = most.first && !found.ways.empty();
  return found;
}

}  // namespace

SplitCandidates split_candidates(const Problem& problem, const Machine& machine) {
  SplitCandidates found;
  if (problem.cutoff.is_given()) return found;
  if (machine.has_devices) return splits_on_devices(problem, machine);
  const FieldStates states(problem, std::nullopt);
  const PassGrouping grouping(states, machine);
  int longest = -1;
  std::pair<double, std::int64_t> most;
  for (const int axis : problem.axes) {
    if (!can_be_split(problem, axis)) continue;
    const int inner = states.input_view().inner_axis(axis);
    const std::pair length(grouping.walks_of_long_lines(inner), problem.extents[axis]);
    if (longest >= 0 && length <= most) continue;
    longest = axis;
    most = length;
  }
  if (longest < 0) return found;
  // A split takes one more field in place, and one more exchange: too much for columns, unless both
  // are in memory that is there.
  const bool is_beyond_cache =
      most.second * Scalar{problem.precision, true}.bytes() > machine.cache_bytes;
  found.is_long = most.first >= constants::least_walks_to_split &&
                  (is_beyond_cache || (!problem.in_place && machine.nodes() == 1));
  const std::int64_t n = problem.extents[longest];
  std::vector<std::int64_t> firsts;
  if (longest + 1 < problem.extents.size())
    for (const std::int64_t rows : constants::rows_of_split_tiles)
      firsts.push_back(divisor_up_to(rows, n));
  firsts.push_back(divisor_up_to(n, n));
  for (const std::int64_t first : firsts)
    if (first > 1 && (found.ways.empty() || found.ways.back().first != first))
      found.ways.push_back({longest, first, n / first});
  return found;
}

}  // namespace weft
