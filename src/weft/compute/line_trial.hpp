// compute/line_trial: how long an engine takes for lines in the cache.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/fft/engine.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

/// Lines of `n` points: complex ones, as columns or contiguous, or contiguous real ones, which are
/// transformed to their halved spectra.
struct TrialLines {
  std::int64_t n = 1;
  bool are_columns = false, are_real = false;
  Precision precision = Precision::double_precision;
};

/// Lines in a tile of a pass, which are transformed again and again.
class LineTrial {
 public:
  /// Input and output together take half of `cache_bytes`, or more if this does not hold a few
  /// lines. Errors: see Engine::make.
  LineTrial(Engine& engine, const TrialLines& asked, std::int64_t cache_bytes, Effort effort);

  /// Seconds of some runs, which take about 50 us together, after one that brings the lines into
  /// the cache.
  double seconds();
  /// The points of these runs.
  double points() const { return runs_ * static_cast<double>(points_); }

 private:
  void run();

  PrefetchQueue nothing_;
  Buffer in_, out_;
  std::int64_t points_ = 0;
  std::unique_ptr<Kernel> kernel_;
  int runs_ = 1;
};

}  // namespace weft
