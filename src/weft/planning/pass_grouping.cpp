// planning/pass_grouping: tries the sizes of tiles that a cache may hold, the smallest first.

#include "weft/planning/pass_grouping.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"

namespace weft {

namespace {

// A tile of several axes may be as large as this many level-2 caches. Planes of four caches were
// measured to be as fast in one pass as in a sweep (docs/tried.md); beyond that, eight is a choice:
// a larger tile saves a pass, and more of its loads miss the cache.
constexpr std::int64_t most_private_caches = 8;
// The part of a rank's share of the level-3 cache that such a tile may fill: 1 / 4. A choice: the
// rest is left to the data that the tile is loaded from and stored to.
constexpr std::int64_t shared_cache_divisor = 4;
// The number of such tiles that there must be at least, so that ranks and threads share the work: a
// field of 64x64x64 as one tile took two threads three times as long as in two passes.
// A choice: the number of threads must not decide, since it must not change a bit of the results.
constexpr std::int64_t least_large_tiles = 8;
// The length of a row of a tile along an axis that is not contiguous: two cache lines. A choice: a
// tile with longer rows exceeds the cache at shorter axes, one with shorter rows loads slower.
constexpr std::int64_t least_row_bytes = 128;
// The walks over memory that each axis takes beyond one with which a tile of several axes exceeds
// what it may fill, and the shared cache.
constexpr double walks_beyond_room = 1.5, walks_beyond_shared_cache = 2.5;
// The same of a line that exceeds a core's own cache, and a rank's share of the shared cache. Split
// in two, such an axis takes one walk more. A line of 2^20 points, which fits the shared cache,
// takes one thread 13 ms, and 21 ms split, of which two threads take 11 ms, and FFTW's trial runs
// for it take seconds; one of 2^24 takes 170 ms, and 73 split. The number of threads must not
// decide, since it must not change a bit of the results.
constexpr double walks_of_long_line = 2.25, walks_of_longest_line = 4;
// The same of columns, where a few of them fill more than a part of a core's own cache: of 2^24
// points, a pass over columns of 1024 points takes 1.1 times as long as one over columns of 256, of
// 2048 points 1.3 times, of 4096 1.7 times and of 8192 2.5 times, with caches of 1 MiB. Of smaller
// caches nothing was measured: there the same columns are long.
struct LongColumns {
  std::int64_t cache_divisor, least_bytes;
  double walks;
};
constexpr LongColumns longest_columns{2, 512 << 10, 1.5}, longer_columns{4, 256 << 10, 0.7},
    long_columns{8, 128 << 10, 0.25};

}  // namespace

const std::vector<PassStage>& PassGrouping::passes(const std::vector<int>& axes) const {
  const auto [at, is_new] = known_.try_emplace(axes);
  std::vector<PassStage>& fewest = at->second;
  if (!is_new) return fewest;
  fewest = passes_in(machine_->cache_bytes, axes);
  for (const std::int64_t room : rooms(axes)) {
    auto some = passes_in(room, axes);
    if (some.size() < fewest.size()) fewest = std::move(some);
  }
  return fewest;
}

std::size_t PassGrouping::passes_in_private_cache(const std::vector<int>& axes) const {
  return passes_in(machine_->cache_bytes, axes).size();
}

double PassGrouping::walks_of_long_lines(const std::vector<int>& axes) const {
  double walks = 0;
  for (const int axis : axes) walks += walks_of_long_lines(axis);
  return walks;
}

double PassGrouping::walks_of_long_lines(int axis) const {
  const std::int64_t line = bounded_product(states_->most_points(axis), element_bytes());
  if (line > machine_->shared_cache_bytes) return walks_of_longest_line;
  if (line > machine_->cache_bytes) return walks_of_long_line;
  if (has_rows(axis)) return 0;
  for (const LongColumns& columns : {longest_columns, longer_columns, long_columns})
    if (first_bytes(axis) >
        std::max(machine_->cache_bytes / columns.cache_divisor, columns.least_bytes))
      return columns.walks;
  return 0;
}

double PassGrouping::walks_of(const PassStage& pass) const {
  double walks = 1 + walks_of_long_lines(pass.axes);
  for (const std::int64_t bytes : tiles_of(pass))
    if (bytes > largest_room())
      walks += bytes > machine_->shared_cache_bytes ? walks_beyond_shared_cache : walks_beyond_room;
  return walks;
}

int PassGrouping::walks_in_shared_cache(const PassStage& pass) const {
  const auto tiles = tiles_of(pass);
  return static_cast<int>(std::count_if(tiles.begin(), tiles.end(), [&](std::int64_t bytes) {
    return bytes > machine_->cache_bytes && bytes <= largest_room();
  }));
}

// What a tile takes with each axis after the first.
std::vector<std::int64_t> PassGrouping::tiles_of(const PassStage& pass) const {
  std::vector<std::int64_t> tiles;
  if (pass.axes.empty()) return tiles;
  std::int64_t bytes = first_bytes(pass.axes.front());
  for (std::size_t i = 1; i < pass.axes.size(); ++i)
    tiles.push_back(bytes = bounded_product(bytes, states_->most_points(pass.axes[i])));
  return tiles;
}

// The bytes of a point when it is transformed.
std::int64_t PassGrouping::element_bytes() const {
  return states_->scalar(states_->changed()).bytes();
}

// What a tile of one axis takes, of which it has a line, or a few columns.
std::int64_t PassGrouping::first_bytes(int axis) const {
  return bounded_product(states_->most_points(axis),
                         has_rows(axis) ? element_bytes() : least_row_bytes);
}

// Whether lines along `axis` are contiguous.
bool PassGrouping::has_rows(int axis) const { return axis + 1 == states_->extents(0).size(); }

// Whether the field is many tiles of `bytes` bytes.
bool PassGrouping::has_many_tiles(std::int64_t bytes) const {
  const double all = static_cast<double>(volume(states_->extents(states_->changed()))) *
                     static_cast<double>(element_bytes());
  return all >= static_cast<double>(least_large_tiles * bytes);
}

// What a tile of several axes takes at most.
std::int64_t PassGrouping::largest_room() const {
  return std::max(machine_->cache_bytes,
                  std::min(most_private_caches * machine_->cache_bytes,
                           machine_->shared_cache_bytes / shared_cache_divisor));
}

// The sizes, ascending, of tiles of several axes that exceed the cache of a core but may be.
std::vector<std::int64_t> PassGrouping::rooms(const std::vector<int>& axes) const {
  const std::int64_t own = machine_->cache_bytes;
  const std::int64_t largest = largest_room();
  std::vector<std::int64_t> some;
  for (std::size_t first = 0; first < axes.size(); ++first) {
    std::int64_t bytes = first_bytes(axes[first]);
    for (std::size_t next = first + 1; next < axes.size(); ++next) {
      bytes = bounded_product(bytes, states_->most_points(axes[next]));
      if (bytes > largest) break;
      if (bytes > own && has_many_tiles(bytes)) some.push_back(bytes);
    }
  }
  std::sort(some.begin(), some.end());
  return some;
}

// Passes whose tiles take at most `room` bytes, unless one line or a few columns take more.
std::vector<PassStage> PassGrouping::passes_in(std::int64_t room,
                                               const std::vector<int>& axes) const {
  std::vector<PassStage> passes;
  std::int64_t bytes = 0;
  for (const int axis : axes) {
    const std::int64_t together = bounded_product(bytes, states_->most_points(axis));
    if (!passes.empty() && together <= room) {
      bytes = together;
      passes.back().axes.push_back(axis);
    } else {
      bytes = first_bytes(axis);
      passes.push_back({{axis}});
    }
  }
  return passes;
}

}  // namespace weft
