// compute/grain_share: both ends of a part are taken by exchanging one number.

#include "weft/compute/grain_share.hpp"

#include <limits>

#include "weft/base/ensure.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

// The number of grains for each thread that are not taken early.
constexpr std::size_t last_ones = 2;

std::uint64_t packed(std::size_t first, std::size_t last) {
  return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(last);
}
std::size_t first_of(std::uint64_t range) { return static_cast<std::size_t>(range >> 32); }
std::size_t last_of(std::uint64_t range) {
  return static_cast<std::size_t>(range & std::numeric_limits<std::uint32_t>::max());
}

}  // namespace

GrainShare::GrainShare(int threads) : parts_(static_cast<std::size_t>(threads)) {}

void GrainShare::deal(std::size_t first, std::size_t last, bool in_order) {
  ensure(last <= std::numeric_limits<std::uint32_t>::max());
  is_in_order_ = in_order;
  const auto parts = static_cast<std::int64_t>(in_order ? 1 : parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Range range =
        static_cast<std::int64_t>(p) < parts
            ? split(static_cast<std::int64_t>(last - first), parts, static_cast<std::int64_t>(p))
            : Range{0, 0};
    parts_[p].range = packed(first + static_cast<std::size_t>(range.lo),
                             first + static_cast<std::size_t>(range.hi));
  }
}

std::optional<std::size_t> GrainShare::take(int thread) {
  const std::size_t mine = part_of(thread);
  if (const auto grain = take_first(parts_[mine], 0)) return grain;
  for (std::size_t i = 1; i < parts_.size() && !is_in_order_; ++i)
    if (const auto grain = take_last(parts_[(mine + i) % parts_.size()])) return grain;
  return std::nullopt;
}

std::optional<std::size_t> GrainShare::take_early(int thread) {
  const std::size_t threads = parts_.size();
  const std::size_t kept = threads == 1 ? 0 : is_in_order_ ? last_ones * threads : last_ones;
  return take_first(parts_[part_of(thread)], kept);
}

void GrainShare::clear() {
  for (Part& part : parts_) part.range = 0;
}

// Unless no more than `kept` are left.
std::optional<std::size_t> GrainShare::take_first(Part& part, std::size_t kept) {
  std::uint64_t range = part.range.load(std::memory_order_relaxed);
  while (first_of(range) + kept < last_of(range))
    if (part.range.compare_exchange_weak(range, packed(first_of(range) + 1, last_of(range)),
                                         std::memory_order_relaxed))
      return first_of(range);
  return std::nullopt;
}

std::optional<std::size_t> GrainShare::take_last(Part& part) {
  std::uint64_t range = part.range.load(std::memory_order_relaxed);
  while (first_of(range) < last_of(range))
    if (part.range.compare_exchange_weak(range, packed(first_of(range), last_of(range) - 1),
                                         std::memory_order_relaxed))
      return last_of(range) - 1;
  return std::nullopt;
}

}  // namespace weft
