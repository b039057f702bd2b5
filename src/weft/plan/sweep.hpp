// plan/sweep: the threads of a rank share out the tiles of a pass.
// Keeps: quiet execution; results do not depend on the number of threads.
#pragma once

#include <atomic>
#include <exception>
#include <vector>

#include "weft/plan/departures.hpp"
#include "weft/plan/pass.hpp"

namespace weft {

/// A pass, and the threads that run it. Only the thread that calls run() calls MPI.
class Sweep {
 public:
  Sweep(Pass pass, int threads);
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  Pass& pass() { return pass_; }

  /// Runs all tiles. `from` carried the source here and `to` will carry the target away, if they
  /// are there. Returns the seconds spent waiting for messages.
  double run(const Addresses& addresses, Exchange* from, Exchange* to);

 private:
  void await(int message, Exchange* from);
  void work(int thread, const Addresses& addresses, Exchange* from, Exchange* to);
  void fail();

  Pass pass_;
  int threads_;
  std::vector<char> arrived_;
  double waited_ = 0;
  Departures departures_;
  std::atomic<std::size_t> next_tile_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace weft
