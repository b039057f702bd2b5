// planning/pass_grouping: tries the sizes of tiles that a cache may hold, the smallest first.

#include "weft/planning/pass_grouping.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "weft/base/checked.hpp"
#include "weft/planning/constants.hpp"

namespace weft {

const std::vector<PassStage>& PassGrouping::passes(const std::vector<int>& axes) const {
  const auto [at, is_new] = known_.try_emplace(axes);
  std::vector<PassStage>& best = at->second;
  if (!is_new) return best;
  if (machine_->has_devices) return best = passes_in(machine_->tile_bytes, axes);
  best = fewest_passes(axes);
  if (axes.size() < 3 || axes.size() > constants::most_axes_in_any_order) return best;
  // Other orders are tried, as numbers of the given one; the halved axis stays the first.
  std::vector<std::size_t> order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto first = order.begin() + (axes.front() == states_->half() ? 1 : 0);
  const auto size = [&](const std::vector<PassStage>& passes) {
    int beyond_cache = 0;
    for (const PassStage& pass : passes) beyond_cache += walks_in_shared_cache(pass);
    return std::pair(passes.size(), beyond_cache);
  };
  while (size(best).second > 0 && std::next_permutation(first, order.end())) {
    std::vector<int> other;
    for (const std::size_t i : order) other.push_back(axes[i]);
    if (auto passes = fewest_passes(other); size(passes) < size(best)) best = std::move(passes);
  }
  return best;
}

std::vector<PassStage> PassGrouping::fewest_passes(const std::vector<int>& axes) const {
  std::vector<PassStage> fewest = passes_in(machine_->cache_bytes, axes);
  for (const std::int64_t room : rooms(axes)) {
    auto some = passes_in(room, axes);
    if (some.size() < fewest.size()) fewest = std::move(some);
  }
  return fewest;
}

double PassGrouping::walks_of_long_lines(const std::vector<int>& axes) const {
  double walks = 0;
  for (const int axis : axes) walks += walks_of_long_lines(axis);
  return walks;
}

double PassGrouping::walks_of_long_lines(int axis) const {
  if (machine_->has_devices) return 0;
  const std::int64_t line = bounded_product(states_->most_points(axis), element_bytes());
  if (line > machine_->shared_cache_bytes) return constants::walks_of_longest_line;
  if (line > machine_->cache_bytes) return constants::walks_of_long_line;
  if (has_rows(axis)) return 0;
  for (const constants::LongColumns& columns : constants::long_columns)
    if (first_bytes(axis) >
        std::max(machine_->cache_bytes / columns.cache_divisor, columns.least_bytes))
      return columns.walks;
  return 0;
}

double PassGrouping::walks_of(const PassStage& pass) const {
  double walks = 1 + walks_of_long_lines(pass.axes);
  for (const std::int64_t bytes : tiles_of(pass))
    if (bytes > largest_room())
      walks += bytes > machine_->shared_cache_bytes ? constants::walks_beyond_shared_cache
                                                    : constants::walks_beyond_room;
  return walks;
}

int PassGrouping::walks_in_shared_cache(const PassStage& pass) const {
  if (machine_->has_devices) return 0;
  const auto tiles = tiles_of(pass);
  return static_cast<int>(std::count_if(tiles.begin(), tiles.end(), [&](std::int64_t bytes) {
    return bytes > machine_->cache_bytes && bytes <= largest_room();
  }));
}

// The bytes of a pass's tile with each axis after the first.
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

// The bytes of a tile of one axis: of a line, or of a few columns.
std::int64_t PassGrouping::first_bytes(int axis) const {
  return bounded_product(states_->most_points(axis),
                         has_rows(axis) ? element_bytes() : constants::least_row_bytes);
}

// Whether lines along `axis` are contiguous.
bool PassGrouping::has_rows(int axis) const { return axis + 1 == states_->extents(0).size(); }

// Whether the field is many tiles of `bytes` bytes.
bool PassGrouping::has_many_tiles(std::int64_t bytes) const {
  const double all = static_cast<double>(volume(states_->extents(states_->changed()))) *
                     static_cast<double>(element_bytes());
  return all >= static_cast<double>(constants::least_large_tiles * bytes);
}

// The bytes that a tile of several axes may take at most.
std::int64_t PassGrouping::largest_room() const {
  if (machine_->has_devices) return machine_->tile_bytes;
  return std::max(machine_->cache_bytes,
                  std::min(constants::most_private_caches * machine_->cache_bytes,
                           machine_->shared_cache_bytes / constants::shared_cache_divisor));
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
