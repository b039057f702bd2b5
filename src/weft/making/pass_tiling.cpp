// making/pass_tiling: limits, cuts and blocks of passes.

#include "weft/making/pass_tiling.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/grid/split.hpp"
#include "weft/grid/tiling.hpp"

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
// Tiles that stream through a device are about so large where it could hold larger ones, so that
// copies of one tile are hidden behind those of others. A choice: it takes a millisecond over PCIe.
// Smaller ones take two thirds of what a device can hold, as rows are rounded up.
constexpr std::int64_t streamed_tile_bytes = std::int64_t{1} << 26;

}  // namespace

// A pass along the second half of a split axis works on columns: in the array with the frequencies,
// where such passes load and store on one node, those of the first half are adjacent. Elsewhere
// they are not, but the exchange must not change a bit of the results. Lines of which the cache
// does not hold a run are taken one by one.
int PassTiling::run_axis(std::size_t pass) const {
  const auto& split = steps_.blueprint().strategy.split;
  if (!split) return -1;
  const int first_half = steps_.blueprint().route.input_view().inner_axis(split->axis);
  const bool is_last = first_half + 2 == steps_[pass].real->extents().size();
  if (!is_last || steps_.axes(pass) != std::vector{first_half + 1}) return -1;
  return split->second * least_run_bytes <= steps_.blueprint().machine.cache_bytes ? first_half
                                                                                   : -1;
}

TileLimits PassTiling::limits(std::size_t pass) const {
  const std::int64_t element = steps_[pass].spectral_scalar.bytes();
  const Machine& machine = steps_.blueprint().machine;
  const std::int64_t most =
      (machine.tile_bytes > 0 ? std::min(machine.tile_bytes * 2 / 3, streamed_tile_bytes)
                              : machine.cache_bytes / tiles_in_a_cache) /
      element;
  auto points = static_cast<double>(most);
  // Tiles are measured before the forward transform; where more is stored after it, they grow.
  const FieldStates& states = steps_.blueprint().route.states;
  for (const int axis : steps_.axes(pass))
    if (!states.kept(axis).is_all())
      points *= static_cast<double>(steps_[pass].real->extents()[axis]) /
                static_cast<double>(states.most_points(axis));
  TileLimits limits{static_cast<std::int64_t>(points), run_bytes(pass) / element, run_axis(pass)};
  if (exceeds_caches(bytes_of_a_rank(pass))) {
    limits.long_group_run = long_group_run_bytes / element;
    limits.long_group_points =
        steps_.blueprint().machine.cache_bytes / long_groups_in_a_cache / element;
  }
  return limits;
}

bool PassTiling::exceeds_caches(double bytes) const {
  return bytes > static_cast<double>(steps_.blueprint().machine.shared_cache_bytes) / large_divisor;
}

// What a rank has after the forward transform of a pass, if all have the same share.
double PassTiling::bytes_of_a_rank(std::size_t pass) const {
  return static_cast<double>(volume(steps_[pass].spectral->extents())) /
         steps_.blueprint().machine.ranks *
         static_cast<double>(steps_[pass].spectral_scalar.bytes());
}

// The least length of a tile along its run axis, even where the tile then exceeds its part of the
// cache.
std::int64_t PassTiling::run_bytes(std::size_t pass) const {
  // As a number that holds those of any tile. Two real numbers take as much as a complex one.
  double lines = 1;
  for (const int axis : steps_.axes(pass))
    lines *= static_cast<double>(axis == steps_.half_axis()
                                     ? std::max(steps_[pass].real->extents()[axis] / 2 + 1,
                                                steps_[pass].spectral->extents()[axis])
                                     : steps_.blueprint().route.states.most_points(axis));
  const double of_a_rank = bytes_of_a_rank(pass);
  const Machine& machine = steps_.blueprint().machine;
  const auto cache =
      static_cast<double>(machine.tile_bytes > 0 ? machine.tile_bytes / 2 : machine.cache_bytes);
  for (const LongRun& run : long_runs)
    if (const double tile = lines * static_cast<double>(run.bytes);
        tile <= run.caches * cache && tile * run.least_tiles <= of_a_rank &&
        (!run.only_beyond_caches || exceeds_caches(of_a_rank)))
      return run.bytes;
  return least_run_bytes;
}

std::vector<std::vector<std::int64_t>> PassTiling::cuts(int rank, std::size_t pass) const {
  const Decomposition& here = *steps_[pass].real;
  std::vector<std::vector<std::int64_t>> by_axis(static_cast<std::size_t>(here.extents().size()));
  const auto add = [&](int axis, const std::vector<std::int64_t>& positions) {
    auto& along = by_axis[static_cast<std::size_t>(axis)];
    along.insert(along.end(), positions.begin(), positions.end());
    std::sort(along.begin(), along.end());
    along.erase(std::unique(along.begin(), along.end()), along.end());
  };
  const auto add_parts = [&](int axis, int parts) {
    if (steps_.overlaps() && parts > 1) add(axis, cut_positions(here.boxes(rank), axis, parts));
  };
  if (pass > 0 && !steps_.is_pass(pass - 1)) {
    const Cutting& cutting = steps_[pass - 1].cutting;
    add_parts(cutting.target_axis, cutting.target_parts);
  }
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    if (!steps_.has_ring(i)) continue;
    const auto passes = steps_.passes_beside(i, steps_.ring(i));
    if (std::ranges::find(passes, pass) == passes.end()) continue;
    const Cutting& cutting = steps_[i].cutting;
    add(cutting.source_axis, cut_positions(here.boxes(rank), cutting.source_axis, cutting.cells()));
  }
  if (pass + 1 >= steps_.size() || steps_.is_pass(pass + 1)) return by_axis;
  const Cutting& cutting = steps_[pass + 1].cutting;
  add_parts(cutting.source_axis, cutting.source_parts);
  const Decomposition& next = steps_.after(pass + 1);
  if (!next.grid()) return by_axis;
  const std::int64_t element = steps_.scalar_after(pass).bytes();
  for (int a = 0; a < here.extents().size(); ++a) {
    const std::int64_t n = next.extents()[a], parts = next.grid()->parts[a];
    const bool is_row = a + 1 == here.extents().size();
    if (a == steps_.half_axis() || (is_row && n / parts * element < least_cut_bytes)) continue;
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 1; i < parts; ++i) positions.push_back(split(n, parts, i).lo);
    add(a, positions);
  }
  return by_axis;
}

std::optional<std::vector<Blocks>> PassTiling::blocks(int rank, std::size_t first,
                                                      std::size_t last) const {
  if (steps_.blueprint().machine.has_devices) return std::nullopt;
  std::vector<int> whole_axes;
  for (std::size_t i = first; i <= last; ++i)
    whole_axes.insert(whole_axes.end(), steps_.axes(i).begin(), steps_.axes(i).end());
  const auto boxes = steps_.before(first).boxes(rank);
  const std::int64_t element = steps_[first].spectral_scalar.bytes();
  const Machine& machine = steps_.blueprint().machine;
  const int threads = machine.threads(rank);
  std::vector<Blocks> all;
  std::size_t count = 0;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    std::vector<TileRanges> tilings;
    for (std::size_t i = first; i <= last; ++i)
      tilings.push_back(
          tile_ranges(steps_[i].real->boxes(rank)[b], steps_.axes(i), limits(i), cuts(rank, i)));
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

}  // namespace weft
