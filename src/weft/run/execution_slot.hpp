// run/execution_slot: the place of one transform in flight. A plan has one slot for each transform
// that may be in flight at the same time, each with its own messages and its own workspace.
// Keeps: agreement - if one rank refuses a run, or starts it in the other direction or with another
// scale, all ranks get an error.
#pragma once

#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/comm/failure_notice.hpp"
#include "weft/comm/vote.hpp"
#include "weft/fft/engine.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/memory/huge_pages.hpp"
#include "weft/memory_use.hpp"
#include "weft/options.hpp"
#include "weft/run/call.hpp"
#include "weft/run/execution.hpp"
#include "weft/run/run_array.hpp"
#include "weft/run/run_callback.hpp"

namespace weft {

class Scheduler;

/// Runs one transform at a time on this rank, forward or backward. One thread at a time may call
/// its functions (see Scheduler). They are not collective unless they say so.
class ExecutionSlot {
 public:
  /// What the slot runs, and how.
  struct Spec {
    std::shared_ptr<const Blueprint> blueprint;
    std::array<Program, 2> programs;  ///< those of this rank: forward, backward
    Effort effort = Effort::estimate;
    int threads = 1;  ///< of this rank
    bool is_c2r = false;
    bool shares_memory = false;  ///< as Blueprint::shares_memory()
    bool huge_pages = true;      ///< asks for them for arrays of users
    /// Bytes of an array of each side; in place, of an array that can hold either.
    std::int64_t input_bytes = 0, output_bytes = 0;
    ArrayPoints input_points, output_points;
    Progress progress = Progress::by_tiles;
    std::shared_ptr<Scheduler> scheduler;  ///< which advances its runs
  };
  /// Not collective. All slots of a plan share `notice`.
  ExecutionSlot(Spec spec, std::shared_ptr<EngineSet> engines,
                std::shared_ptr<FailureNotice> notice);
  /// Makes what runs need, before the first one, on a duplicate of `comm`. Collective.
  void bind(const Communicator& comm);
  ExecutionSlot(const ExecutionSlot&) = delete;
  ExecutionSlot& operator=(const ExecutionSlot&) = delete;
  ~ExecutionSlot();

  const Execution& forward() const { return *executions_[spec_.is_c2r ? 1 : 0]; }
  const Execution& backward() const { return *executions_[spec_.is_c2r ? 0 : 1]; }
  /// What the slot has allocated. Users' arrays do not count, but copies of them do.
  MemoryUse memory() const;
  /// Whether ranks of a node work on each other's input (output) arrays, on any node.
  bool shares_input() const { return shares_input_; }
  bool shares_output() const { return shares_output_; }
  /// The ranks of this rank's node; null if every node has one rank.
  const NodeGroup* node() const { return node_ ? &*node_ : nullptr; }
  Progress progress() const { return spec_.progress; }
  Scheduler& scheduler() const { return *spec_.scheduler; }

  // ---- a run
  /// Begins a run: finds out where the node sees the arrays, makes and fills stand-ins, and votes
  /// for the direction and the scale. No run may be under way. Collective, but does not wait for
  /// the other ranks. If it throws, nothing has begun, and the caller refuses the run.
  void start(const Call& call);
  /// Called instead of start() to refuse a run: lets the other ranks know. Collective with their
  /// start() or refuse(), but does not wait for them.
  void refuse(const ErrorRecord& why) noexcept;
  /// Ends the run under way, or refuses the next one, for the reason `why`, on a thread that may
  /// not call MPI. The ranks of the node hear of it at once, and those of other nodes from them, or
  /// as FailureNotice::tell_later says. Not collective.
  void fail_without_mpi(const ErrorRecord& why) noexcept;
  /// Advances the refusal. Returns true when all ranks have been told. If any rank has begun the
  /// run, `why` becomes the failure of this slot.
  bool test_refusal() noexcept;
  /// The number of the last run, counted from 1; 0 before the first run.
  std::int64_t run() const { return run_; }
  bool is_under_way() const { return is_under_way_; }
  /// Whether the run under way writes any of the `bytes` bytes at `data`.
  bool writes(const void* data, std::int64_t bytes) const;
  /// Whether the run under way reads or writes any of the `bytes` bytes at `data`.
  bool uses(const void* data, std::int64_t bytes) const;

  // These do what the functions of Execution do. An exception ends the run, is kept by failure(),
  // and is told to all ranks. If a rank has refused the run, the refusal is kept instead.
  void advance_between_tiles();
  /// Also advances the vote, and ends the run when it is complete. Returns whether anything has
  /// happened.
  bool advance();
  int urgency() const { return is_under_way_ ? execution_->urgency() : Schedule::none; }
  void run_item(const std::function<void()>& between);
  /// Does not wait before the outcome of the vote is known.
  bool wait();
  void count_wait(double begin, double seconds) {
    if (is_under_way_) execution_->count_wait(begin, seconds);
  }

  // ---- after a run
  /// The error that ended the last run, if any. It stays, as no later run is possible.
  std::exception_ptr failure() const { return failure_; }
  /// Whether a run has failed.
  bool is_broken() const { return failure_ != nullptr; }
  /// What is to be called when the run under way has ended.
  void set_callback(std::shared_ptr<RunCallback> callback) { callback_ = std::move(callback); }
  /// Returns the callback and removes it.
  std::shared_ptr<RunCallback> take_callback() { return std::exchange(callback_, nullptr); }

  /// Frees memory and communicators; the slot's tickets stay valid. Collective, unless MPI has been
  /// finalised. Must not be called for a broken slot while MPI runs: MPI may still use its memory.
  void close();

 private:
  void make_executions();
  void make_workspace();
  void make_stand_ins();
  bool has_learnt_vote();
  void end_disagreed();
  bool has_ended_disagreed() noexcept;
  void look_for_failure();
  void fail() noexcept;
  ErrorRecord of_this_rank(const ErrorRecord& failure) const noexcept;

  Spec spec_;
  Communicator comm_;
  std::shared_ptr<EngineSet> engines_;
  std::shared_ptr<FailureNotice> notice_;
  std::optional<NodeGroup> node_;
  Buffer workspace_;           // this rank's workspace, if no exchange shares memory
  NodeGroup::Window windows_;  // else the workspaces of all ranks of the node
  // A run in place on one array uses the first only.
  StandIn input_stand_in_, output_stand_in_;
  HugePages huge_pages_;
  // Forward and backward; those of c2r are the directions of the r2c that it reverses.
  std::array<std::optional<Execution>, 2> executions_;
  bool shares_input_ = false, shares_output_ = false;

  Vote vote_;
  Execution* execution_ = nullptr;  // the direction of the last run
  RunArray source_, target_;        // the arrays of the last run
  std::int64_t run_ = 0;
  bool is_under_way_ = false, has_voted_ = true;
  double next_look_ = 0;  // when to ask again whether another rank has failed
  std::exception_ptr failure_, refusal_;
  std::shared_ptr<RunCallback> callback_;
  friend class ExecutionSlots;
  std::shared_ptr<ExecutionSlot> next_kept_;  // in the list of slots that are never freed
};

/// A list whose head is never destroyed: what is in it may be used by MPI until the process ends.
template <class Kept>
union KeptList {
  std::shared_ptr<Kept> first;
  KeptList() : first(nullptr) {}
  ~KeptList() {}
  void add(std::shared_ptr<Kept> one, std::shared_ptr<Kept> Kept::*next) {
    (*one).*next = std::move(first);
    first = std::move(one);
  }
};

/// The slots of a plan. The destructor waits for their runs and closes them. Slots of a plan that
/// has failed keep their memory, as MPI may still use it. Collective, unless MPI has been
/// finalised.
class ExecutionSlots {
 public:
  ExecutionSlots() = default;
  ExecutionSlots(const ExecutionSlots&) = delete;
  ExecutionSlots& operator=(const ExecutionSlots&) = delete;
  ~ExecutionSlots();

  void add(std::shared_ptr<ExecutionSlot> slot);
  const std::vector<std::shared_ptr<ExecutionSlot>>& all() const { return all_; }
  /// The plan has been made on all ranks: from now on there may be runs, and failures of runs.
  void let_run() { may_run_ = true; }
  /// Ends what plans have left open that other ranks destroyed much later. Called at the beginning
  /// of MPI_Finalize.
  static void end_late();

 private:
  // The slots of a plan that some ranks have not destroyed yet: messages for it may still come.
  struct Ending {
    std::shared_ptr<FailureNotice> notice;
    std::vector<std::shared_ptr<ExecutionSlot>> slots;
    std::shared_ptr<Ending> next;
  };
  static KeptList<Ending>& endings();
  static bool close_ended() noexcept;
  static void close(std::vector<std::shared_ptr<ExecutionSlot>>& slots);
  bool end_everywhere();
  void keep_for_ever();

  std::vector<std::shared_ptr<ExecutionSlot>> all_;
  bool may_run_ = false;
  std::shared_ptr<Ending> ending_;  // made beforehand, as destructors do not allocate
};

}  // namespace weft
