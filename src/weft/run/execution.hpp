// run/execution: a program bound to memory, messages and kernels, and run task by task.
// Keeps: quiet execution - a run allocates and builds nothing; only the waits of the program order
// its tasks.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/compute/sweep.hpp"
#include "weft/exchange/device_messages.hpp"
#include "weft/exchange/group_turns.hpp"
#include "weft/exchange/node_group.hpp"
#include "weft/fft/engine.hpp"
#include "weft/memory/tile_memory.hpp"
#include "weft/program/index.hpp"
#include "weft/program/program.hpp"
#include "weft/program/schedule.hpp"
#include "weft/run/run_array.hpp"

namespace weft {

class DeviceItems;
class DeviceQueue;
class GroupedMessages;
class LibraryRoom;
class NcclChannel;
class TileSlots;
class Wire;

/// The objects that a program is bound to.
struct Binding {
  const Communicator* comm = nullptr;
  NodeGroup* node = nullptr;  ///< the ranks of this rank's node; null if no exchange shares memory
  EngineSet* engines = nullptr;  ///< null if a device computes
  DeviceQueue* queue = nullptr;  ///< of the device that computes; null: the processor does
  LibraryRoom* room = nullptr;   ///< of the library of that device; null if no pass is by it
  TileSlots* slots = nullptr;    ///< through which data in memory of the processor stream; or null
  DeviceMessages messages = {};  ///< how they come from and to its memory, but in groups
  NcclChannel* channel = nullptr;    ///< in which messages go in groups; null: they do not
  GroupTurns::Turn* turn = nullptr;  ///< of the runs whose messages do
  Effort effort = Effort::estimate;
  int threads = 1;  ///< of this rank
  /// The largest count given to MPI as an int; smaller only in tests.
  std::int64_t count_limit = std::numeric_limits<int>::max();
};

/// Runs one program again and again. begin() starts a run. The caller then calls advance(), which
/// collects what has completed and submits what is ready, and run_item(), which computes the most
/// urgent item that is ready, until the run is complete. Where a device computes, advance()
/// enqueues all items that are ready, and there is none for run_item(). Where data stream through
/// it, an item is ready when all that it waits for is complete.
class Execution {
 public:
  /// `groups` are the communicators of the exchanges, as of add_groups(). The objects in `binding`
  /// must outlive the execution. Not collective.
  Execution(Program program, const Binding& binding, std::vector<Communicator> groups);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  ~Execution();

  /// Appends the communicators of the exchanges of a program to `groups`, which has room for them.
  /// Collective.
  static void add_groups(const Communicator& comm, const Program& program,
                         std::vector<Communicator>& groups);

  const Program& program() const { return program_; }
  /// Bytes of the tiles of all threads.
  std::int64_t tile_bytes() const;
  /// Bytes of the program, and of the tables made of it.
  std::int64_t program_bytes() const;
  /// The trace of the last run.
  const Trace& trace() const { return trace_; }
  /// From the next run on, the trace has all tasks and waits, too. Not while a run is under way.
  void record_tasks() { trace_.record_tasks(program_.tasks.size()); }
  /// Who waits for the results of an item of the trace.
  Feeds feeds(const Trace::Item& item) const;

  /// Tries the messages that may go in groups, before the first run. `binding` as of the
  /// constructor. Collective.
  void try_groups(const Binding& binding) const;
  /// Bytes of the signals of the members of the node, and where they are: zeroed memory of all of
  /// them. Set once, before the first run.
  std::int64_t signal_bytes() const;
  void set_signals(std::shared_ptr<std::byte> memory);
  /// Sets the workspaces of the members of the node, of workspace_bytes each; without a node,
  /// workspaces[0] is this rank's. Called once, before the first run.
  void set_workspaces(const std::vector<std::byte*>& workspaces);

  /// Why a run cannot be captured in a graph of the application's; empty if it can.
  std::string why_not_in_graph() const;
  /// Begins a run from the user's `source` to the user's `target`, which takes the results times
  /// `scale`. Publishes their locations if other ranks of the node work on them. One `in_graph`
  /// can be captured, and is enqueued as a whole afterwards.
  void begin(const RunArray& source, const RunArray& target, double scale = 1,
             bool in_graph = false);
  /// Lets the run map arrays of other ranks of the node. Called once in each run, when it is known
  /// that all ranks have begun the same one: ranks that know that they have not may already have
  /// freed their arrays. `in_groups`: its messages go in groups, on all ranks. Until then, they
  /// wait where they may.
  void mark_agreed(bool in_groups);
  /// A quick advance() for the time between two tiles: asks MPI for less (see
  /// Wire::progress_sends()).
  void advance_between_tiles();
  /// Collects the messages and signals that have completed and submits the tasks that are ready.
  /// Returns whether there were any.
  bool advance();
  /// The urgency of the item that run_item() would run: lower is more urgent. Schedule::none if no
  /// item is ready.
  int urgency() const { return on_device_ ? Schedule::none : schedule_.urgency(); }
  /// Computes the most urgent item that is ready. Calls `between` after every tile.
  void run_item(const std::function<void()>& between);
  /// Whether all tasks of the run have completed.
  bool is_complete() const { return schedule_.is_done(); }
  /// Whether nothing is left but what a device does with what is enqueued.
  bool is_enqueued() const { return schedule_.is_enqueued(); }
  /// Whether it does more than compute.
  bool has_exchanges() const { return !exchanges_.empty(); }
  /// Bytes that a run moves between a device and the processor: for messages, or as tiles that
  /// stream through the device.
  std::int64_t moved_bytes() const;
  /// How many of these are not moved by a run whose messages go in groups.
  std::int64_t grouped_bytes() const;
  /// Waits some milliseconds at most until advance() may have something to do. Returns false
  /// without waiting if no signal of the node can end the wait.
  bool wait();
  /// Adds a time without work, of `seconds` from `begin` on, to the trace of the first exchange
  /// that has not finished, unless a device computes meanwhile.
  void count_wait(double begin, double seconds);

 private:
  // The state of an exchange step.
  struct Exchange {
    std::size_t step = 0;
    std::unique_ptr<Wire> wire;
    int finishes = -1;  // the task of its milestone `finishes`
    // Tasks by index of receive, send or collective, to find the task that has completed.
    std::vector<int> receives, sends, collectives;
  };

  void make_sweeps(const Binding& binding);
  void make_exchanges(const Binding& binding, std::vector<Communicator>& groups);
  void find_tasks_of_exchanges();
  bool wait_for_message();
  Exchange& exchange_of(const Task& task) {
    return exchanges_[at(program_.steps[at(task.step)].exchange)];
  }
  std::uint32_t awaited_value(int task) const;
  bool check_signal(int task);
  bool submit_ready();
  bool enqueue_ready();
  bool take_items_done();
  void submit(int task);
  void hand_over(int task);
  void submit_message(int task);
  void complete(int task);
  bool take_completions(Exchange& exchange);
  bool take_groups();
  bool take_signals();
  bool look_for_progress();
  bool resolve_arrays();
  void begin_exchange_after(std::size_t step);
  void end_activities();

  Program program_;
  Schedule schedule_;
  NodeGroup* node_;
  std::vector<TileMemory> tiles_;               // per thread
  std::vector<std::unique_ptr<Sweep>> sweeps_;  // of the processor; else:
  std::unique_ptr<DeviceItems> on_device_;
  std::vector<Exchange> exchanges_;
  std::unique_ptr<GroupedMessages> grouped_;  // where messages may go in groups
  // How those go that may: not known yet, in groups, or as all others.
  enum class Way { unknown, in_groups, by_wires } way_ = Way::by_wires;
  std::vector<int> held_;  // tasks that wait until it is known
  std::shared_ptr<std::byte> signal_memory_;
  Signal* signals_ = nullptr;
  std::vector<int> awaits_;  // tasks of kind await, submitted and not yet completed
  Addresses addresses_;
  Sweep::Listener listener_;
  const std::function<void()>* between_ = nullptr;  // argument of the current run_item()
  std::size_t current_step_ = 0;
  NodeGroup::Condition has_progress_;
  Trace trace_;
  std::uint32_t runs_ = 0;
  bool is_agreed_ = false;  // see mark_agreed()
  int first_array_ = 0;     // number under which the source of this run is published
};

}  // namespace weft
