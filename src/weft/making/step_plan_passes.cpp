// making/step_plan_passes: decides about users' arrays, the tiles and blocks of passes, and which
// passes share a sweep.

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/grid/split.hpp"
#include "weft/grid/tiling.hpp"
#include "weft/making/step_plan.hpp"

namespace weft {

namespace {

// Tiles are not cut at message bounds into rows shorter than this: four cache lines.
constexpr std::int64_t least_cut_bytes = 256;
// Data of a rank that exceed this part of its share of the level-3 cache are not found there again:
// 1 / 2, which was measured with two ranks on Zen 4, and on Zen 5 (docs/lab, "Prefetches only
// beyond the caches").
constexpr double large_divisor = 2;
// The least length of a tile along its run axis: two cache lines, which are fetched together.
constexpr std::int64_t least_run_bytes = 128;
// Longer runs are better, even where a tile then exceeds its part of the cache: a pass with rows of
// 512 bytes takes 0.6 to 0.95 of the time of one with rows of 128, and, of data that exceed the
// shared caches, one with rows of 1 or 2 KiB takes 0.8 to 1.0 of that (docs/lab, "Rows of tiles"
// and "Longer rows beyond the caches"). The number of threads must not decide, since it must not
// change a bit of the results.
struct LongRun {
  std::int64_t bytes;
  double caches;            // of a core, that a tile may fill
  double least_tiles;       // of a rank, so that its threads have enough to share out
  bool only_beyond_caches;  // only for data that exceed the shared caches
};
constexpr LongRun long_runs[] = {
    {2048, 1, 256, true}, {1024, 1, 256, true}, {512, 2, 16, false}, {256, 2, 16, false}};
// A tile of several axes is stored by groups of its columns. Where data exceed the shared caches,
// these groups have long rows, too, as long as a group fits half of the cache of a core.
constexpr std::int64_t long_group_run_bytes = 1024, long_groups_in_a_cache = 2;
// The least number of blocks for each thread of a sweep of several passes: with fewer, threads
// would be idle while others finish their last block, or all the time. A choice: with four, a
// thread waits for at most a quarter of the time that it computes.
constexpr std::size_t least_blocks_per_thread = 4;

}  // namespace

Patches StepPlan::array_of(int rank, int role, int buffer) const {
  const Route& route = blueprint_->route;
  const bool real_side = (role == source_role) == forward_;
  const View& view = real_side ? route.input_view() : route.output_view();
  const Decomposition& user = real_side ? route.user_input : route.user_output;
  const UserArray array =
      real_side ? blueprint_->real_array(rank) : blueprint_->spectral_array(rank);
  return view.patches(user.boxes(rank), array.layouts, array.offsets, array.field_stride, buffer);
}

std::int64_t StepPlan::array_bytes(int rank, int role) const {
  const bool real_side = (role == source_role) == forward_;
  const std::int64_t elements =
      real_side ? blueprint_->real_array(rank).elements : blueprint_->spectral_elements(rank);
  const Scalar scalar = role == source_role ? scalar_before(0) : scalar_after(size() - 1);
  return elements * scalar.bytes();
}

// Whether every point has the same address in the source and in the target, on all ranks. Then a
// pass may overwrite its source tile by tile.
bool StepPlan::arrays_match() const {
  const std::int64_t from_bytes = scalar_before(0).bytes();
  const std::int64_t to_bytes = scalar_after(size() - 1).bytes();
  const auto lie_alike = [&](const Patch& from, const Patch& to) {
    if (from.offset * from_bytes != to.offset * to_bytes) return false;
    for (int a = 0; a < from.box.axes(); ++a) {
      const bool halved_rows = a == half_axis_ && from_bytes != to_bytes;
      if (from.box.lo[a] != to.box.lo[a]) return false;
      if (halved_rows ? from.strides[a] != 1 || to.strides[a] != 1
                      : from.strides[a] * from_bytes != to.strides[a] * to_bytes)
        return false;
    }
    for (int a = 0; a < from.box.axes(); ++a)
      if (from.box.hi[a] != to.box.hi[a] && (a != half_axis_ || from_bytes == to_bytes))
        return false;
    return true;
  };
  for (int rank = 0; rank < blueprint_->machine.ranks; ++rank) {
    const Patches source = array_of(rank, source_role, 0), target = array_of(rank, target_role, 0);
    if (!std::equal(source.begin(), source.end(), target.begin(), target.end(), lie_alike))
      return false;
  }
  return true;
}

// A pass along the second half of a split axis works on columns: in the array with the frequencies,
// where such passes load and store on one node, those of the first half are adjacent. Elsewhere
// they are not, but the exchange must not change a bit of the results. Lines of which the cache
// does not hold a run are taken one by one.
int StepPlan::run_axis(std::size_t pass) const {
  const auto& split = blueprint_->strategy.split;
  if (!split) return -1;
  const int first_half = blueprint_->route.input_view().inner_axis(split->axis);
  const bool is_last = first_half + 2 == steps_[pass].real->extents().size();
  if (!is_last || axes(pass) != std::vector{first_half + 1}) return -1;
  return split->second * least_run_bytes <= blueprint_->machine.cache_bytes ? first_half : -1;
}

TileLimits StepPlan::tile_limits(std::size_t pass) const {
  const std::int64_t element = steps_[pass].spectral_scalar.bytes();
  const std::int64_t most = blueprint_->machine.cache_bytes / tiles_in_a_cache / element;
  auto points = static_cast<double>(most);
  // Tiles are measured before the forward transform; where more is stored after it, they grow.
  const FieldStates& states = blueprint_->route.states;
  for (const int axis : axes(pass))
    if (!states.kept(axis).is_all())
      points *= static_cast<double>(steps_[pass].real->extents()[axis]) /
                static_cast<double>(states.most_points(axis));
  TileLimits limits{static_cast<std::int64_t>(points), run_bytes(pass) / element, run_axis(pass)};
  if (exceeds_caches(bytes_of_a_rank(pass))) {
    limits.long_group_run = long_group_run_bytes / element;
    limits.long_group_points = blueprint_->machine.cache_bytes / long_groups_in_a_cache / element;
  }
  return limits;
}

bool StepPlan::exceeds_caches(double bytes) const {
  return bytes > static_cast<double>(blueprint_->machine.shared_cache_bytes) / large_divisor;
}

// What a rank has after the forward transform of a pass, if all have the same share.
double StepPlan::bytes_of_a_rank(std::size_t pass) const {
  return static_cast<double>(volume(steps_[pass].spectral->extents())) / blueprint_->machine.ranks *
         static_cast<double>(steps_[pass].spectral_scalar.bytes());
}

// The least length of a tile along its run axis, even where the tile then exceeds its part of the
// cache.
std::int64_t StepPlan::run_bytes(std::size_t pass) const {
  // As a number that holds those of any tile. Two real numbers take as much as a complex one.
  double lines = 1;
  for (const int axis : axes(pass))
    lines *= static_cast<double>(axis == half_axis_
                                     ? std::max(steps_[pass].real->extents()[axis] / 2 + 1,
                                                steps_[pass].spectral->extents()[axis])
                                     : blueprint_->route.states.most_points(axis));
  const double of_a_rank = bytes_of_a_rank(pass);
  const auto cache = static_cast<double>(blueprint_->machine.cache_bytes);
  for (const LongRun& run : long_runs)
    if (const double tile = lines * static_cast<double>(run.bytes);
        tile <= run.caches * cache && tile * run.least_tiles <= of_a_rank &&
        (!run.only_beyond_caches || exceeds_caches(of_a_rank)))
      return run.bytes;
  return least_run_bytes;
}

std::vector<std::vector<std::int64_t>> StepPlan::cuts_of(int rank, std::size_t pass) const {
  const Decomposition& here = *steps_[pass].real;
  std::vector<std::vector<std::int64_t>> cuts(static_cast<std::size_t>(here.extents().size()));
  const auto add = [&](int axis, const std::vector<std::int64_t>& positions) {
    auto& along = cuts[static_cast<std::size_t>(axis)];
    along.insert(along.end(), positions.begin(), positions.end());
    std::sort(along.begin(), along.end());
    along.erase(std::unique(along.begin(), along.end()), along.end());
  };
  const auto add_parts = [&](int axis, int parts) {
    if (overlaps_ && parts > 1) add(axis, cut_positions(here.boxes(rank), axis, parts));
  };
  if (pass > 0 && !is_pass(pass - 1)) {
    const Cutting& cutting = steps_[pass - 1].cutting;
    add_parts(cutting.target_axis, cutting.target_parts);
  }
  for (std::size_t i = 1; i < size(); ++i) {
    if (!has_ring(i)) continue;
    const auto passes = passes_beside(i, ring(i));
    if (std::ranges::find(passes, pass) == passes.end()) continue;
    const Cutting& cutting = steps_[i].cutting;
    add(cutting.source_axis, cut_positions(here.boxes(rank), cutting.source_axis, cutting.cells()));
  }
  if (pass + 1 >= size() || is_pass(pass + 1)) return cuts;
  const Cutting& cutting = steps_[pass + 1].cutting;
  add_parts(cutting.source_axis, cutting.source_parts);
  const Decomposition& next = after(pass + 1);
  if (!next.grid()) return cuts;
  const std::int64_t element = scalar_after(pass).bytes();
  for (int a = 0; a < here.extents().size(); ++a) {
    const std::int64_t n = next.extents()[a], parts = next.grid()->parts[a];
    const bool is_row = a + 1 == here.extents().size();
    if (a == half_axis_ || (is_row && n / parts * element < least_cut_bytes)) continue;
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 1; i < parts; ++i) positions.push_back(split(n, parts, i).lo);
    add(a, positions);
  }
  return cuts;
}

std::optional<std::vector<Blocks>> StepPlan::blocks_of(int rank, std::size_t first,
                                                       std::size_t last) const {
  std::vector<int> whole_axes;
  for (std::size_t i = first; i <= last; ++i)
    whole_axes.insert(whole_axes.end(), axes(i).begin(), axes(i).end());
  const auto boxes = before(first).boxes(rank);
  const std::int64_t element = steps_[first].spectral_scalar.bytes();
  const Machine& machine = blueprint_->machine;
  const int threads = machine.threads(rank);
  std::vector<Blocks> all;
  std::size_t count = 0;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    std::vector<TileRanges> tilings;
    for (std::size_t i = first; i <= last; ++i)
      tilings.push_back(
          tile_ranges(steps_[i].real->boxes(rank)[b], axes(i), tile_limits(i), cuts_of(rank, i)));
    all.push_back(blocks_around(boxes[b], whole_axes, tilings));
    // Other data that are read meanwhile use the same cache, so a block may take half of it.
    const std::int64_t bytes = bounded_product(all.back().points(), element * threads);
    if (bytes > machine.shared_cache_bytes / 2) return std::nullopt;
    count += all.back().count();
  }
  if (threads > 1 && !all.empty() &&
      count < least_blocks_per_thread * static_cast<std::size_t>(threads))
    return std::nullopt;
  return all;
}

// Passes that work in place on what the pass before has stored share a sweep, as long as their
// blocks fit the shared cache on all ranks, so that all ranks have the same steps.
void StepPlan::join_passes() {
  std::size_t first = 0;
  for (std::size_t i = 1; i < size(); ++i) {
    bool joins = is_pass(i) && is_pass(i - 1) && !axes(i).empty() && steps_[i].works_in_place;
    for (int rank = 0; joins && rank < blueprint_->machine.ranks; ++rank)
      joins = blocks_of(rank, first, i).has_value();
    steps_[i - 1].joins_next = joins;
    if (!joins) first = i;
  }
}

}  // namespace weft
