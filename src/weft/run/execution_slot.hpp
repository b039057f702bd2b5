// run/execution_slot: the place of one transform in flight. A plan has one slot for each transform
// that may be in flight at the same time, each with its own messages and its own workspace.
// Keeps: agreement - if one rank refuses a run, or starts it in the other direction or with another
// scale, all ranks get an error.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "weft/comm/vote.hpp"
#include "weft/run/bound_programs.hpp"
#include "weft/run/call.hpp"
#include "weft/run/failure_news.hpp"
#include "weft/run/plan_arrays.hpp"
#include "weft/run/run_callback.hpp"

namespace weft {

class Scheduler;

/// Runs one transform at a time on this rank, forward or backward. One thread at a time may call
/// its functions (see Scheduler). They are not collective unless they say so.
class ExecutionSlot {
 public:
  /// What the slot runs, and how.
  struct Spec {
    BoundPrograms::Spec programs;
    PlanArrays::Spec arrays;
    Progress progress = Progress::by_tiles;
    std::shared_ptr<Scheduler> scheduler;  ///< which advances its runs
  };
  /// Not collective. All slots of a plan share `notice`.
  ExecutionSlot(Spec spec, std::shared_ptr<EngineSet> engines,
                std::shared_ptr<FailureNotice> notice);
  /// The steps of BoundPrograms in which all ranks make what runs need, before the first one.
  void join(const Communicator& comm) { programs_.join(comm); }
  void bind() { programs_.bind(*news_.notice()); }
  void connect() { programs_.connect(); }
  void share_memory() { programs_.share_memory(); }
  void make_workspace() { programs_.make_workspace(); }
  void set_shared_arrays(bool input, bool output);
  ExecutionSlot(const ExecutionSlot&) = delete;
  ExecutionSlot& operator=(const ExecutionSlot&) = delete;
  ~ExecutionSlot();

  const BoundPrograms& programs() const { return programs_; }
  /// As of BoundPrograms.
  void record_runs() { programs_.record_runs(); }
  const std::shared_ptr<FailureNotice>& notice() const { return news_.notice(); }
  /// What the slot has allocated. Users' arrays do not count, but copies of them do.
  MemoryUse memory() const;
  Progress progress() const { return progress_; }
  Scheduler& scheduler() const { return *scheduler_; }

  // ---- a run
  /// Begins a run: finds out where the node sees the arrays, makes and fills stand-ins, and votes
  /// for the direction and the scale. No run may be under way. Collective, but does not wait for
  /// the other ranks. If it throws, nothing has begun, and the caller refuses the run. If the
  /// application captures its stream in a graph, the run is over, and part of the graph:
  /// Error::unsupported or Error::invalid if it cannot be.
  void start(const Call& call);
  /// Called instead of start() to refuse a run: lets the other ranks know. Collective with their
  /// start() or refuse(), but does not wait for them.
  void refuse(const ErrorRecord& why) noexcept;
  /// Ends the run under way, or refuses the next one, for the reason `why`, on a thread that may
  /// not call MPI. Not collective.
  void fail_without_mpi(const ErrorRecord& why) noexcept;
  /// Advances the refusal. Returns true when all ranks have been told. If any rank has begun the
  /// run, `why` becomes the failure of this slot.
  bool test_refusal() noexcept;
  /// The number of the last run, counted from 1; 0 before the first run.
  std::int64_t run() const { return run_; }
  bool is_under_way() const { return is_under_way_; }
  /// Whether the messages of the run under way go in groups.
  bool is_in_groups() const { return is_under_way_ && has_voted_ && in_groups_; }
  /// Bytes that the last run has copied between the processor's memory and a device's.
  std::int64_t copied_bytes() const { return copied_bytes_; }
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
  bool is_in_graph(bool is_forward) const;
  void fill_stand_in();  // if there is one
  bool has_begun();
  void begin_program();
  bool has_taken_result();
  void take_result();
  void end_in_graph();
  void require_no_capture() const;
  bool returns_early();
  bool has_learnt_vote();
  void take_way();
  void end_groups() noexcept;
  void end_disagreed();
  bool has_ended_disagreed() noexcept;
  void fail() noexcept;

  BoundPrograms programs_;
  PlanArrays arrays_;
  Progress progress_;
  std::shared_ptr<Scheduler> scheduler_;
  FailureNews news_;

  Vote vote_;
  Execution* execution_ = nullptr;  // the direction of the last run
  PlanArrays::OfRun given_;         // the arrays of the last run
  std::int64_t run_ = 0;
  bool is_under_way_ = false, has_voted_ = true;
  bool in_graph_ = false;   // the application captures the last run in a graph
  bool in_groups_ = false;  // the messages of the run go in groups
  std::int64_t copied_bytes_ = 0;
  double scale_ = 1;               // of the last run
  bool waits_for_stream_ = false;  // the run has started, and the program has not begun
  bool is_taking_result_ = false;  // a copy from a stand-in on a device is under way
  std::exception_ptr failure_, refusal_;
  std::shared_ptr<RunCallback> callback_;
  friend class ExecutionSlots;
  std::shared_ptr<ExecutionSlot> next_kept_;  // in the list of slots that are never freed
};

}  // namespace weft
