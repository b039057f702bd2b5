// run/execution: a program bound to memory, messages and kernels, and taken further task by task.
// Keeps: quiet execution - running allocates nothing and builds nothing; what the program says is
// what is done, and nothing else orders anything.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/compute/sweep.hpp"
#include "weft/exchange/node_group.hpp"
#include "weft/exchange/wire.hpp"
#include "weft/fft/engine.hpp"
#include "weft/memory/segment.hpp"
#include "weft/memory/tile_memory.hpp"
#include "weft/program/program.hpp"
#include "weft/run/schedule.hpp"

namespace weft {

/// A user's array as a run takes it: where it lies here, and, if the node is to see it, where that
/// is in shared memory.
struct ArrayPlace {
  std::byte* data = nullptr;
  std::optional<Segment::Location> shared;
};

/// What a program is bound to.
struct Binding {
  const Communicator* comm = nullptr;
  NodeGroup* node = nullptr;  ///< the ranks of this rank's node, if the program has signals
  Engine* engine = nullptr;
  Effort effort = Effort::estimate;
  int threads = 1;  ///< of this rank
};

/// A run is begun, and then taken further by whoever has time for it: advance() looks what has
/// completed, run_item() computes the most urgent of what is ready.
class Execution {
 public:
  /// Collective over the communicator. What `binding` names outlives the execution.
  Execution(Program program, const Binding& binding);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  const Program& program() const { return program_; }
  /// Memory of the threads' tiles.
  std::int64_t tile_bytes() const;
  /// Of the last run.
  const Trace& trace() const { return trace_; }
  Feeds feeds(const Trace::Item& item) const;

  /// Before the first run: workspace_bytes at `workspaces[me]`, and those of the node's others.
  void set_workspaces(const std::vector<std::byte*>& workspaces);

  /// Begins a run from the user's `source` to the user's `target`; shared arrays say where they
  /// are.
  void begin(const ArrayPlace& source, const ArrayPlace& target);
  /// Lets messages move, and takes note of what has completed, as quickly as can be: between tiles.
  void move();
  /// Takes note of what has completed, and submits what is ready. True if there was anything.
  bool advance();
  /// Of the item that run_item() would run, lower is sooner; Schedule::none if nothing is ready.
  int urgency() const { return schedule_.urgency(); }
  /// `between` is called after every tile.
  void run_item(const std::function<void()>& between);
  bool is_complete() const { return schedule_.is_done(); }
  /// Waits until advance() may find something, where that takes one way of waiting; else returns at
  /// once. False if it did not wait.
  bool wait();
  /// Counts seconds from `begin` on, in which nothing could be done, as those of the exchange that
  /// was waited for.
  void waited(double begin, double seconds);

 private:
  // What is under way of an exchange step.
  struct Exchange {
    std::size_t step = 0;
    std::unique_ptr<Wire> wire;
    int finishes = -1;  // its milestone
    // Tasks by index, to find that of a completion.
    std::vector<int> receives, sends, collectives;
  };

  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  void make_sweeps(const Binding& binding);
  void make_exchanges(const Communicator& comm);
  void make_signals();
  Exchange& exchange_of(const Task& task) {
    return exchanges_[at(program_.steps[at(task.step)].exchange)];
  }
  std::uint32_t awaited_value(int task) const;
  bool has_come(int task);
  bool submit_ready();
  void submit(int task);
  bool take_completions(Exchange& exchange);
  bool take_signals();
  bool has_anything_come();
  void resolve_arrays();
  void end_activities();

  Program program_;
  Schedule schedule_;
  NodeGroup* node_;
  std::vector<TileMemory> tiles_;  // per thread
  std::vector<std::unique_ptr<Sweep>> sweeps_;
  std::vector<Exchange> exchanges_;
  std::shared_ptr<Segment> signal_memory_;
  Signal* signals_ = nullptr;
  std::vector<int> awaits_;  // submitted, and not yet completed
  Addresses addresses_;
  Sweep::Listener listener_;
  const std::function<void()>* between_ = nullptr;  // of the item at hand
  std::size_t step_at_hand_ = 0;
  NodeGroup::Condition something_;
  Trace trace_;
  std::uint32_t runs_ = 0;
  int first_array_ = 0;  // of this run, as published in the node
};

}  // namespace weft
