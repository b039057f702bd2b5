// plan/sweep: the threads of a rank share out the tiles of one or several passes.
// Keeps: quiet execution; results do not depend on the number of threads.
#pragma once

#include <atomic>
#include <exception>
#include <vector>

#include "weft/plan/departures.hpp"
#include "weft/plan/pass.hpp"

namespace weft {

/// Passes over the same boxes, and the threads that run them. A single pass is shared out tile by
/// tile. Several have the same blocks: a thread takes a block through all passes while it is in the
/// shared cache. Only the first loads from messages, only the last stores to them, and only the
/// thread that calls run() calls MPI.
class Sweep {
 public:
  Sweep(std::vector<Pass> passes, int threads);
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  std::vector<Pass>& passes() { return passes_; }

  /// Runs all passes. `from` carried the source here and `to` will carry the target away, if they
  /// are there. Returns the seconds spent waiting for messages.
  double run(const Addresses& addresses, Exchange* from, Exchange* to);

 private:
  void order_blocks();
  void await(int message, Exchange* from);
  void work(int thread, const Addresses& addresses, Exchange* from, Exchange* to);
  void run_tile(std::size_t pass, std::size_t tile, int thread, const Addresses& addresses,
                Exchange* from);
  void fail();

  std::vector<Pass> passes_;
  int threads_;
  std::vector<std::size_t> blocks_;  // of several passes, in the order in which they run
  std::size_t pieces_;               // blocks, or tiles of a single pass
  std::vector<char> arrived_;
  double waited_ = 0;
  Departures departures_;
  std::atomic<std::size_t> next_piece_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace weft
