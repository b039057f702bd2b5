// compute/trial: how long a sample of a sweep takes on this machine.
#pragma once

#include <memory>
#include <vector>

#include "weft/compute/sweep.hpp"
#include "weft/program/sample.hpp"

namespace weft {

/// A sample that is ready to run, in tile memory of its own.
class Trial {
 public:
  /// Errors: see EngineSet::of and Engine::make.
  Trial(const Sample& sample, int threads, EngineSet& engines, Effort effort);

  /// The fastest of all runs so far, in seconds; 0 for an empty sample, infinite before it has run.
  double seconds() const { return seconds_; }
  /// Runs the sample once, or more often if it takes microseconds, on all threads. `memory` holds
  /// what the sample loads and stores, at least Sample::bytes, and is overwritten.
  void run(std::byte* memory);

 private:
  std::unique_ptr<const SweepProgram> program_;
  std::unique_ptr<Sweep> sweep_;
  std::vector<TileMemory> tiles_;
  double seconds_;
};

}  // namespace weft
