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

Trial::Trial(const Sample& sample, int threads, EngineSet& engines, Effort effort)
    : program_(std::make_unique<const SweepProgram>(sample.sweep)),
      seconds_(program_->order.empty() ? 0 : std::numeric_limits<double>::infinity()) {
  if (program_->order.empty()) return;
  sweep_ = std::make_unique<Sweep>(*program_, threads, engines);
  std::int64_t group_bytes = 0, tile_bytes = 0;
  for (const Pass& pass : sweep_->passes()) {
    group_bytes = std::max(group_bytes, pass.group_bytes());
    tile_bytes = std::max(tile_bytes, pass.tile_bytes());
  }
  tiles_ = tile_memory(threads, group_bytes, tile_bytes);
  for (Pass& pass : sweep_->passes()) pass.make_kernels(tiles_, engines, effort);
}

void Trial::run(std::byte* memory) {
  if (sweep_ == nullptr) return;
  const Sweep::Listener nobody{[](int) {}, [] {}};
  double all = 0;
  for (int i = 0; i < most_runs && all < least_seconds; ++i) {
    const double begin = now();
    sweep_->begin();
    sweep_->run(program_->items.front(), {memory}, nobody);
    const double seconds = now() - begin;
    seconds_ = std::min(seconds_, seconds);
    all += seconds;
  }
}

}  // namespace weft
