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
#include "weft/run/feeds.hpp"

namespace weft {

/// Passes over the same boxes, and the threads that run them. A single pass is shared out tile by
/// tile. Several have the same blocks: a thread takes a block through all passes while it is in the
/// shared cache. Only the first loads from messages, only the last stores to them, and only the
/// thread that calls run() calls MPI.
///
/// The work comes in items: the tiles (or blocks) that need the same messages, those first that
/// feed other nodes, and where many need the same, runs of those that complete the same messages.
class Sweep {
 public:
  /// Work that needs no more than `messages`.
  struct Item {
    std::size_t first, last;    // pieces
    std::vector<int> messages;  // incoming
    Feeds feeds;
  };

  /// Items of one need and use are cut into `parts` at most; `feeds`: of each outgoing message.
  Sweep(std::vector<Pass> passes, int threads, int parts, std::vector<Feeds> feeds);
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  std::vector<Pass>& passes() { return passes_; }
  const std::vector<Item>& items() const { return items_; }

  /// Before the items of a run.
  void begin() { departures_.reset(); }
  /// Runs all passes over an item. `to` will carry the target away, if it is there. `between` is
  /// called by this thread after every tile.
  void run(const Item& item, const Addresses& addresses, Exchange* to,
           const std::function<void()>& between);

 private:
  struct Piece {
    std::size_t number;  // of a tile or block
    std::vector<int> messages;
    Feeds feeds;
    int last_departure;
  };
  Piece piece(std::size_t number) const;
  void make_items(std::vector<Piece> pieces, std::size_t parts);
  void work(int thread, std::size_t last, const Addresses& addresses, Exchange* to,
            const std::function<void()>& between);
  // A piece is a tile where there is one pass, else a block.
  std::size_t first_tile(std::size_t pass, std::size_t piece) const {
    return passes_.size() == 1 ? piece : passes_[pass].first_tile(piece);
  }
  std::size_t take() { return next_piece_.fetch_add(1, std::memory_order_relaxed); }
  std::optional<std::size_t> take_early(std::size_t last);
  void run_tile(std::size_t pass, std::size_t tile, int thread, const Addresses& addresses);
  void fail(std::size_t last);

  std::vector<Pass> passes_;
  int threads_;
  std::vector<Feeds> feeds_;        // by outgoing message
  std::vector<std::size_t> order_;  // of tiles or blocks
  std::vector<Item> items_;
  Departures departures_;
  std::vector<PrefetchQueue> ahead_;  // per thread
  std::atomic<std::size_t> next_piece_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace weft
