// compute/sweep: the threads of a rank share out the tiles of one or several passes.
// Keeps: quiet execution; results do not depend on the number of threads.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "weft/compute/grain_share.hpp"
#include "weft/compute/pass.hpp"
#include "weft/compute/send_countdown.hpp"

namespace weft {

/// One or several passes over the same boxes, and the threads that run them. The threads share out
/// a single pass tile by tile (compute/grain_share). Several passes have the same blocks: one
/// thread takes a block through all passes while the block is in the shared cache.
class Sweep {
 public:
  /// `program` must outlive the sweep.
  Sweep(const SweepProgram& program, int threads, EngineSet& engines);
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  std::vector<Pass>& passes() { return passes_; }

  /// Functions that the thread in run() calls between tiles.
  struct Listener {
    /// The last tile of an outgoing message has stored its part; the message is visible to all.
    std::function<void(int message)> stored;
    /// Called after every tile of this thread.
    std::function<void()> between;
  };

  /// Prepares for the items of the next run, whose results are multiplied by `scale`.
  void begin(double scale = 1) {
    send_countdown_.reset();
    for (Pass& pass : passes_) pass.begin(scale);
  }
  /// Runs all passes over an item, and returns when all its threads have finished. Throws the first
  /// exception of any thread.
  void run(const Item& item, const Addresses& addresses, const Listener& listener);

 private:
  void work(int thread, const Addresses& addresses, const Listener& listener);
  void run_grain(std::size_t place, std::optional<std::size_t> next, int thread,
                 const Addresses& addresses, const Listener& listener);
  void queue_following(int thread, const Addresses& addresses);
  void fail();

  const SweepProgram* program_;
  const Item* item_ = nullptr;  // that runs
  std::vector<Pass> passes_;
  int threads_;
  GrainShare grains_;
  SendCountdown send_countdown_;
  std::vector<PrefetchQueue> prefetches_;  // per thread
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace weft
