// compute/trial: runs samples.

#include "weft/compute/trial.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/trace.hpp"

namespace weft {

namespace {

// Short samples are repeated until they have taken this long, because a clock and an interruption
// tell little of what takes microseconds; at most so many times.
constexpr double least_seconds = 2e-4;
constexpr int most_runs = 16;

}  // namespace

void TrialTiles::make_room_for(Sweep& sweep) {
  std::int64_t group_bytes = group_bytes_, tile_bytes = tile_bytes_;
  for (const Pass& pass : sweep.passes()) {
    group_bytes = std::max(group_bytes, pass.group_bytes());
    tile_bytes = std::max(tile_bytes, pass.tile_bytes());
  }
  if (group_bytes == group_bytes_ && tile_bytes == tile_bytes_) return;
  auto larger = tile_memory(static_cast<int>(tiles_.size()), group_bytes, tile_bytes);
  std::move(larger.begin(), larger.end(), tiles_.begin());  // passes know them by their addresses
  group_bytes_ = group_bytes;
  tile_bytes_ = tile_bytes;
}

TrialMemory::TrialMemory(std::span<const Sample> samples, std::int64_t cache_bytes, int threads) {
  std::int64_t largest = 0, whole = 0;
  for (const Sample& sample : samples) {
    largest = std::max(largest, sample.bytes);
    whole = std::max(whole, sample.whole_bytes);
  }
  // Twice a cache, because caches keep some of what was used longer ago than their size tells.
  const std::int64_t caches = 2 * std::min(cache_bytes, whole);
  memory_ = Buffer(std::max(largest, std::min(largest + caches, whole)), threads);
}

std::byte* TrialMemory::next(std::int64_t bytes) {
  if (next_ + bytes > memory_.bytes()) next_ = 0;
  std::byte* const part = memory_.data() + next_;
  next_ += bytes;
  return part;
}

Trial::Trial(const Sample& sample, TrialTiles& tiles, EngineSet& engines, Effort effort)
    : buffers_(sample.buffers),
      bytes_(sample.bytes),
      program_(std::make_unique<const SweepProgram>(sample.sweep)) {
  if (program_->order.empty()) return;
  sweep_ = std::make_unique<Sweep>(*program_, static_cast<int>(tiles.tiles().size()), engines);
  tiles.make_room_for(*sweep_);
  for (Pass& pass : sweep_->passes()) pass.make_kernels(tiles.tiles(), engines, effort);
}

double Trial::run(TrialMemory& memory) {
  if (sweep_ == nullptr) return 0;
  const Sweep::Listener nobody{[](int) {}, [] {}};
  Addresses addresses(buffers_.size());
  double all = 0, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_runs && all < least_seconds; ++i) {
    std::byte* const part = memory.next(bytes_);
    for (std::size_t buffer = 0; buffer < buffers_.size(); ++buffer)
      addresses[buffer] = part + buffers_[buffer];
    const double begin = now();
    sweep_->begin();
    sweep_->run(program_->items.front(), addresses, nobody);
    const double seconds = now() - begin;
    least = std::min(least, seconds);
    all += seconds;
  }
  return least;
}

}  // namespace weft
