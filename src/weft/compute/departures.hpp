// compute/departures: which outgoing messages have been stored completely.
// Keeps: many threads store, one sends - MPI asks for no more than MPI_THREAD_FUNNELED.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace weft {

/// Counts down the parts that each message waits for. The thread that stores the last one hands the
/// message over to the thread that may call MPI.
class Departures {
 public:
  /// parts[m]: how many parts message m has.
  explicit Departures(std::vector<std::int64_t> parts)
      : parts_(std::move(parts)), missing_(parts_.size()), complete_(parts_.size()) {}

  /// Before a run.
  void reset() {
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      missing_[m].store(parts_[m], std::memory_order_relaxed);
      complete_[m].store(none, std::memory_order_relaxed);
    }
    handed_over_.store(0, std::memory_order_relaxed);
    sent_ = 0;
  }

  /// A part of `message` is stored, visible to all. On any thread.
  void stored(int message) {
    if (missing_[static_cast<std::size_t>(message)].fetch_sub(1, std::memory_order_acq_rel) > 1)
      return;
    const std::size_t place = handed_over_.fetch_add(1, std::memory_order_relaxed);
    complete_[place].store(message, std::memory_order_release);
  }

  /// Calls send(message) for those that have become complete. On one thread.
  template <class Send>
  void send_complete(const Send& send) {
    for (; sent_ < complete_.size(); ++sent_) {
      const int message = complete_[sent_].load(std::memory_order_acquire);
      if (message == none) return;
      send(message);
    }
  }

 private:
  static constexpr int none = -1;

  std::vector<std::int64_t> parts_;
  std::vector<std::atomic<std::int64_t>> missing_;
  std::vector<std::atomic<int>> complete_;  // in the order in which they became so
  std::atomic<std::size_t> handed_over_ = 0;
  std::size_t sent_ = 0;
};

}  // namespace weft
