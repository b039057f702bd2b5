// compute/trial: how long a sample of a sweep takes on this machine.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "weft/compute/sweep.hpp"
#include "weft/making/sample.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

/// The tile memory of trials that run one after another.
class TrialTiles {
 public:
  explicit TrialTiles(int threads) : tiles_(static_cast<std::size_t>(threads)) {}
  /// Makes room for what `sweep` needs. Kernels that were made before keep working: they are told
  /// where the tile is when they run, and its alignment stays.
  void make_room_for(Sweep& sweep);
  const std::vector<TileMemory>& tiles() const { return tiles_; }

 private:
  std::vector<TileMemory> tiles_;
  std::int64_t group_bytes_ = 0, tile_bytes_ = 0;
};

/// The memory that samples load and store. Each run is given another part of it, so that a sample
/// of a field that exceeds the caches does not find there what the run before has left.
class TrialMemory {
 public:
  TrialMemory() = default;
  /// Memory for `samples` on processors whose caches hold `cache_bytes` for this process: the bytes
  /// of the largest sample and of two caches beside it, but not more than those of the largest
  /// field of which there is a sample. Zeroed by `threads` threads. Error::system if there is not
  /// enough memory.
  TrialMemory(std::span<const Sample> samples, std::int64_t cache_bytes, int threads);

  /// The part for the next run of a sample of `bytes`, at the beginning of a page: the part that
  /// was given out the longest time ago.
  std::byte* next(std::int64_t bytes);

 private:
  Buffer memory_;
  std::int64_t next_ = 0;
};

/// A sample that is ready to run.
class Trial {
 public:
  /// Runs in `tiles`, which must outlive it. Errors: see EngineSet::of and Engine::make.
  Trial(const Sample& sample, TrialTiles& tiles, EngineSet& engines, Effort effort);

  /// Runs the sample once, or more often if it takes microseconds, on all threads, and overwrites
  /// parts of `memory`, which was made for this sample or a larger one. Returns what the fastest of
  /// these runs took, in seconds; 0 for an empty sample.
  double run(TrialMemory& memory);

 private:
  std::vector<std::int64_t> buffers_;
  std::int64_t bytes_;
  std::unique_ptr<const SweepProgram> program_;
  std::unique_ptr<Sweep> sweep_;  // none of an empty sample
};

}  // namespace weft
