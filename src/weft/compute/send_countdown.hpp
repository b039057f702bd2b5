// compute/send_countdown: which outgoing messages have been stored completely.
// Keeps: any thread may store, but only one thread sends, so MPI_THREAD_FUNNELED is enough.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace weft {

/// Counts, for every message, the parts that are still to be stored. The thread that stores the
/// last part of a message hands the message over to the thread that may call MPI.
class SendCountdown {
 public:
  /// parts[m] is the number of parts of message m.
  explicit SendCountdown(std::vector<std::int64_t> parts)
      : parts_(std::move(parts)), missing_(parts_.size()), complete_(parts_.size()) {}

  /// Starts all counts again. Called before each run.
  void reset() {
    for (std::size_t m = 0; m < parts_.size(); ++m) {
      missing_[m].store(parts_[m], std::memory_order_relaxed);
      complete_[m].store(none, std::memory_order_relaxed);
    }
    handed_over_.store(0, std::memory_order_relaxed);
    sent_ = 0;
  }

  /// Counts one part of `message` as stored. The caller has made the part visible to all threads.
  /// Any thread may call it.
  void count_part(int message) {
    if (missing_[static_cast<std::size_t>(message)].fetch_sub(1, std::memory_order_acq_rel) > 1)
      return;
    const std::size_t place = handed_over_.fetch_add(1, std::memory_order_relaxed);
    complete_[place].store(message, std::memory_order_release);
  }

  /// Calls send(message) once for each message that has become complete since the last call. Only
  /// one thread may call it.
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
  std::vector<std::atomic<int>> complete_;  // messages, in the order in which they became complete
  std::atomic<std::size_t> handed_over_ = 0;
  std::size_t sent_ = 0;
};

}  // namespace weft
