// compute/trial: how long a sample of a sweep takes on this machine.
#pragma once

#include <memory>
#include <vector>

#include "weft/compute/sweep.hpp"
#include "weft/program/sample.hpp"

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

/// A sample that is ready to run.
class Trial {
 public:
  /// Runs in `tiles`, which must outlive it. Errors: see EngineSet::of and Engine::make.
  Trial(const Sample& sample, TrialTiles& tiles, EngineSet& engines, Effort effort);

  /// The fastest of all runs so far, in seconds; 0 for an empty sample, infinite before it has run.
  double seconds() const { return seconds_; }
  /// Runs the sample once, or more often if it takes microseconds, on all threads. `memory` holds
  /// what the sample loads and stores, at least Sample::bytes, and is overwritten.
  void run(std::byte* memory);

 private:
  std::unique_ptr<const SweepProgram> program_;
  std::unique_ptr<Sweep> sweep_;
  double seconds_;
};

}  // namespace weft
