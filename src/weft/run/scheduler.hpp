// run/scheduler: takes all transforms of this process that are on their way further.
// Keeps: what is computed next depends on what has come, but results do not; nothing here allocates
// while transforms run.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "weft/run/flight.hpp"

namespace weft {

/// The one scheduler of a process. Of all items of work that are ready, in whatever transform, it
/// runs the most urgent: what feeds the network first, then what was started first.
class Scheduler {
 public:
  static Scheduler& of_process();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  ~Scheduler();

  /// Runs `change`, while nobody else works on any flight.
  template <class Change>
  void alone(const Change& change) {
    const std::lock_guard lock(mutex_);
    change();
  }
  /// `flight` has been started (within alone()).
  void add(Flight* flight);

  /// Looks what has come, and runs one item of work. True if there was anything to do.
  bool progress();
  /// Returns when run `run` of `flight` has ended, whatever else gets on meanwhile.
  void wait(const Flight& flight, std::int64_t run);
  /// Waits for all that is under way.
  void wait_for_all();
  /// Whether some flight under way works on this memory (writes it, or reads it while `writes`).
  bool is_in_use(const void* data, std::int64_t bytes, bool writes) const;
  /// A flight is about to be closed: its callback is not called any more.
  void forget(Flight* flight);

 private:
  Scheduler();
  bool step();
  bool advance_all();
  void drop_ended();
  void look_between_tiles();
  void catch_up();
  void help();
  void run_callbacks();

  mutable std::recursive_mutex mutex_;
  std::vector<Flight*> flights_;  // under way, in the order in which they were started
  std::vector<Flight*> calling_;  // whose callbacks are due
  std::function<void()> between_;
  double next_look_ = 0;
  double last_call_ = 0;  // of progress()
  // The thread of flights that ask for one; it sleeps while there are none.
  std::thread helper_;
  std::condition_variable_any work_for_helper_;
  int helped_flights_ = 0;
  bool ends_ = false;
};

}  // namespace weft
