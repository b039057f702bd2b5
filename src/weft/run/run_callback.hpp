// run/run_callback: what is to be called when a run has ended, and how far that is.
#pragma once

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
  bool has_failed = false;                   ///< whether the run has; then nothing is called
  std::vector<std::function<void()>> calls;  ///< those that are still to be made
  std::exception_ptr failure;                ///< what the first call that failed has thrown
  const ExecutionSlot* slot = nullptr;       ///< the slot of the run, once it has ended
  std::thread::id runner;                    ///< the thread that makes the calls
  std::shared_ptr<RunCallback> next;         ///< the next callback that is due

  /// Whether it is still to be called, or another thread is calling it.
  bool is_open_elsewhere() const {
    return state == State::due || (state == State::running && runner != std::this_thread::get_id());
  }
  void keep(std::exception_ptr thrown) {
    if (!failure) failure = std::move(thrown);
  }
};

/// While one exists, this thread is in a callback: a run that it starts may come before another one
/// here, and after it on another rank, where the run before has ended later.
class InCallback {
 public:
  InCallback() { ++depth(); }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
  ~InCallback() { --depth(); }

  static bool is_here() { return depth() > 0; }

 private:
  static int& depth() {
    static thread_local int callbacks = 0;
    return callbacks;
  }
};

}  // namespace weft
