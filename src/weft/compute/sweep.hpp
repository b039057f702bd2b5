// compute/sweep: the threads of a rank share out the tiles of one or several passes.
// Keeps: quiet execution; results do not depend on the number of threads.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "weft/compute/departures.hpp"
#include "weft/compute/pass.hpp"

namespace weft {

/// Passes over the same boxes, and the threads that run them. A single pass is shared out tile by
/// tile. Several have the same blocks: a thread takes a block through all passes while it is in the
/// shared cache.
class Sweep {
 public:
  /// `program` outlives the sweep.
  Sweep(const SweepProgram& program, int threads, const Engine& engine);
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  std::vector<Pass>& passes() { return passes_; }

  /// Called by the thread that calls run(), between tiles.
  struct Listener {
    /// An outgoing message has been stored by the last of its tiles, visible to all.
    std::function<void(int message)> stored;
    /// After every tile.
    std::function<void()> between;
  };

  /// Before the items of a run.
  void begin() { departures_.reset(); }
  /// Runs all passes over an item.
  void run(const Item& item, const Addresses& addresses, const Listener& listener);

 private:
  void work(int thread, std::size_t last, const Addresses& addresses, const Listener& listener);
  std::size_t take() { return next_piece_.fetch_add(1, std::memory_order_relaxed); }
  std::optional<std::size_t> take_early(std::size_t last);
  void run_piece(std::size_t place, std::optional<std::size_t> next, int thread,
                 const Addresses& addresses, const Listener& listener);
  void run_tile(std::size_t pass, std::size_t tile, int thread, const Addresses& addresses);
  void fail(std::size_t last);

  const SweepProgram* program_;
  std::vector<Pass> passes_;
  int threads_;
  Departures departures_;
  std::vector<PrefetchQueue> prefetches_;  // per thread
  std::atomic<std::size_t> next_piece_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace weft
