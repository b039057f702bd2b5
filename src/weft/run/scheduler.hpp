// run/scheduler: advances all transforms of this process that are under way.
// Keeps: the order of work depends on which messages have arrived, but results do not; quiet
// execution - nothing here allocates while transforms run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "weft/run/execution_slots.hpp"

namespace weft {

/// Advances the transforms of all plans with a communicator, for which a process has one scheduler,
/// or of one plan without: a thread that may not call MPI can then wait for its plan without
/// advancing transforms that do, and threads with such plans need not take turns. It runs the most
/// urgent of all ready items of all its transforms first: items that other nodes wait for, and
/// among equally urgent ones those of the transform that was started first. Any thread may call it.
/// A thread that waits here lets others in after every item, and never waits in MPI: its message
/// may depend on what another thread has yet to start.
class Scheduler {
 public:
  /// The one of all plans with a communicator.
  static const std::shared_ptr<Scheduler>& of_process();
  /// A new one, for a plan of this process alone.
  static std::shared_ptr<Scheduler> alone();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Runs `change` while no other thread works on any slot.
  template <class Change>
  void with_lock(const Change& change) {
    ++wanted_;
    const std::lock_guard lock(mutex_);
    --wanted_;
    change();
  }
  /// Prepares for runs with this progress: starts the helper thread for Progress::by_thread, and
  /// lets MPI_Finalize wait for runs. Called before the first of them. Error::system if the thread
  /// cannot be started.
  void prepare_for(Progress progress);
  /// Makes room for so many more slots (or fewer), so that no run allocates.
  void make_room_for(int slots);
  /// Adds a slot whose run has been started. Called within with_lock(). Cannot fail after the
  /// preparations.
  void add(ExecutionSlot* slot);

  /// Collects what has completed, computes one item, and calls the callbacks that are due. Returns
  /// whether there was anything to do.
  bool progress();
  /// The same without the callbacks.
  bool take_further();
  /// Ends run `run` of `slot`, if it is under way, with an error on all ranks if this thread may
  /// not call MPI, as taking it further would: the other ranks would wait for this one.
  void require_thread(ExecutionSlot& slot, std::int64_t run) noexcept;
  /// Returns when run `run` of `slot` has ended; without a slot, when all runs of all slots
  /// have. Advances them meanwhile.
  void wait(const ExecutionSlot* slot, std::int64_t run);
  /// Waits until no run is under way.
  void wait_for_all() { wait(nullptr, 0); }
  /// Takes all runs further until those whose messages go in groups have ended on all ranks of
  /// `comm`. Before a plan is made on devices: calls that make it wait for all that a device does,
  /// and other ranks may have to start their part of a group first. Collective over `comm`.
  void end_groups(const Communicator& comm);
  /// Whether no run is under way, and no callback is due.
  bool is_idle() const;
  /// Whether a run under way writes any of these bytes or, if `writes`, reads any of them.
  bool is_in_use(const void* data, std::int64_t bytes, bool writes) const;
  /// Returns when `callback` has been called, if it is due, unless this thread is calling it.
  void wait_for(const RunCallback& callback);
  /// Calls the callbacks that are due.
  void run_callbacks();
  /// Drops the callbacks of a slot that is about to be closed, and waits for those that other
  /// threads are calling.
  void drop_callbacks(ExecutionSlot* slot);

 private:
  struct Running {
    RunCallback* callback = nullptr;
    Running* next = nullptr;
  };
  explicit Scheduler(bool calls_mpi);
  ~Scheduler() { end_helper(); }
  bool run_round();
  bool advance_all();
  void drop_ended();
  void advance_between_tiles();
  void catch_up();
  void help();
  void end_helper();
  void give_way() const;
  void add_due(std::shared_ptr<RunCallback> callback, const ExecutionSlot& slot);

  const bool calls_mpi_;
  mutable std::recursive_mutex mutex_;
  std::atomic<int> wanted_ = 0;        // threads of the application that want the lock
  std::size_t room_ = 0;               // the number of slots of all plans
  std::vector<ExecutionSlot*> slots_;  // those under way, in the order of their starts
  std::shared_ptr<RunCallback> due_;   // the first callback that is due
  Running* running_ = nullptr;         // the callbacks that threads are calling
  std::function<void()> between_;
  double next_mpi_call_ = 0;
  double last_call_ = 0;  // time of the last call of progress()
  // The thread that advances slots with Progress::by_thread; it sleeps while there are none.
  std::thread helper_;
  std::condition_variable_any work_for_helper_;
  int helped_slots_ = 0;
  bool ends_ = false;
};

}  // namespace weft
