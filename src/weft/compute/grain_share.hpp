// compute/grain_share: which thread takes which grains of an item.
// Keeps: every grain is taken once; no locks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

/// Grains, which are tiles or blocks, by their places in the order of a sweep. A thread takes them
/// one at a time.
class GrainShare {
 public:
  explicit GrainShare(int threads);

  /// `in_order`: all threads take the first one that is left, so that messages are complete one
  /// after the other. Else each thread has consecutive grains, the same ones in every run, which
  /// its caches, and the memory next to its core, may still hold; one that has none left takes the
  /// last one of another. Not to be called while threads take grains.
  void deal(std::size_t first, std::size_t last, bool in_order);

  /// The next grain of a thread; nothing if all are taken.
  std::optional<std::size_t> take(int thread);
  /// The same before the thread has run the one that it took before, so that what the next one
  /// loads can be prefetched. The last ones are not taken early: each is left to the thread that is
  /// free first.
  std::optional<std::size_t> take_early(int thread);
  /// Nothing is left to take.
  void clear();

 private:
  // [first, last) as one number, so that both ends may be taken from at the same time. Each is in
  // cache lines of its own.
  struct alignas(128) Part {
    std::atomic<std::uint64_t> range = 0;
  };

  std::size_t part_of(int thread) const {
    return is_in_order_ ? 0 : static_cast<std::size_t>(thread);
  }
  std::optional<std::size_t> take_first(Part& part, std::size_t kept);
  std::optional<std::size_t> take_last(Part& part);

  std::vector<Part> parts_;  // per thread
  bool is_in_order_ = false;
};

}  // namespace weft
