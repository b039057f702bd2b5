// run/run_callback: what is to be called when a run has ended, and how far that is.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace weft {

class ExecutionSlot;

/// The functions that a ticket wants called after its run. Ticket, slot and scheduler share it, as
/// each may be gone before the others. The lock of the scheduler guards it.
class RunCallback {
 public:
  enum class State { open, due, running, done };

  State state = State::open;
  bool has_failed = false;                   ///< the run: then nothing is called
  std::vector<std::function<void()>> calls;  ///< those that are still to be made
  std::exception_ptr failure;                ///< of the first call that has thrown
  const ExecutionSlot* slot = nullptr;       ///< of a run that has ended
  std::int32_t origin = 0;                   ///< of what its calls start; see StartsOf
  std::thread::id runner;
  std::shared_ptr<RunCallback> next;  ///< of those that are due

  /// Whether it is still to be called, or another thread is calling it.
  bool is_open_elsewhere() const {
    return state == State::due || (state == State::running && runner != std::this_thread::get_id());
  }
  void keep(std::exception_ptr thrown) {
    if (!failure) failure = std::move(thrown);
  }
};

/// While it exists, the runs that this thread starts are those of a callback, of which all ranks
/// know the number: `origin`, not 0.
class StartsOf {
 public:
  explicit StartsOf(std::int32_t origin) : outer_(current()) { current() = origin; }
  StartsOf(const StartsOf&) = delete;
  StartsOf& operator=(const StartsOf&) = delete;
  ~StartsOf() { current() = outer_; }

  /// The number of the callback that this thread is in; 0: none.
  static std::int32_t& current() {
    static thread_local std::int32_t origin = 0;
    return origin;
  }

 private:
  std::int32_t outer_;
};

}  // namespace weft
