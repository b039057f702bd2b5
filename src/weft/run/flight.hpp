// run/flight: one transform on its way. A plan has as many as may be in flight at the same time,
// each with its own messages and its own workspace. Keeps: agreement - what one rank refuses, or
// starts the other way round, is an error on all.
#pragma once

#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/comm/vote.hpp"
#include "weft/fft/engine.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/options.hpp"
#include "weft/program/blueprint.hpp"
#include "weft/run/execution.hpp"
#include "weft/run/shared_array.hpp"

namespace weft {

/// One transform on its way, on this rank. Everything is called by one thread at a time (see
/// Scheduler), and, but for what says otherwise, not collective.
class Flight {
 public:
  /// What it is made for.
  struct Spec {
    std::shared_ptr<const Blueprint> blueprint;
    Effort effort = Effort::estimate;
    int threads = 1;  ///< of this rank
    bool is_c2r = false;
    std::int64_t input_bytes = 0, output_bytes = 0;
    Progress progress = Progress::by_tiles;
  };
  /// Collective over `comm`, which is duplicated.
  Flight(const Communicator& comm, Spec spec, std::shared_ptr<Engine> engine);
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;
  ~Flight();

  const Execution& forward() const { return *executions_[0]; }
  const Execution& backward() const { return *executions_[1]; }
  std::int64_t workspace_bytes() const;
  bool shares_input() const { return shares_input_; }
  bool shares_output() const { return shares_output_; }
  const NodeGroup* node() const { return node_.get(); }
  Progress progress() const { return spec_.progress; }

  // ---- a run
  /// Begins it. Not while one is under way. Collective, but waits for nobody.
  void start(bool is_forward, const void* from, void* to);
  /// Instead of starting: tells all ranks why not. True when all have heard it.
  void refuse(bool is_forward, const Error& why);
  bool has_refused();
  /// Which run is, or was, under way: 1 for the first.
  std::int64_t run() const { return run_; }
  bool is_under_way() const { return is_under_way_; }
  /// Whether memory of `bytes` from `data` on is written by the run, or else whether it is used.
  bool writes(const void* data, std::int64_t bytes) const;
  bool uses(const void* data, std::int64_t bytes) const;

  void move();
  /// True if something has happened. Ends the run when it is complete, or has failed.
  bool advance();
  int urgency() const { return is_under_way_ ? execution_->urgency() : Schedule::none; }
  void run_item(const std::function<void()>& between);
  /// See Execution.
  bool wait();
  void waited(double begin, double seconds) {
    if (is_under_way_) execution_->waited(begin, seconds);
  }

  // ---- after it
  /// What ended the run `run`, if that was an error; it stays, as the plan can do no more.
  std::exception_ptr failure() const { return failure_; }
  bool is_broken() const { return failure_ != nullptr; }
  /// To be called when the run has ended.
  void set_callback(std::function<void()> callback) { callback_ = std::move(callback); }
  bool has_due_callback() const { return !is_under_way_ && callback_ != nullptr; }
  std::function<void()> take_callback() { return std::exchange(callback_, nullptr); }
  /// What the callback of the last run threw, once.
  void keep_callback_failure(std::exception_ptr failure) { callback_failure_ = std::move(failure); }
  std::exception_ptr take_callback_failure() { return std::exchange(callback_failure_, nullptr); }

  /// Frees what it holds; its tickets remain. Collective, unless MPI has been finalised. Not what
  /// failed on the way, as MPI may still be at it.
  void close();

 private:
  struct Array {
    std::byte* data = nullptr;
    std::int64_t bytes = 0;
  };
  void make_executions();
  void make_workspace();
  void check_vote();
  void fail();
  static bool meet(const Array& array, const void* data, std::int64_t bytes);

  Spec spec_;
  Communicator comm_;
  std::shared_ptr<Engine> engine_;
  std::unique_ptr<NodeGroup> node_;
  Buffer workspace_;           // of this rank alone
  NodeGroup::Window windows_;  // or of all ranks of the node
  SharedArray shared_input_, shared_output_;
  std::array<std::unique_ptr<Execution>, 2> executions_;  // forward, backward
  bool shares_input_ = false, shares_output_ = false;

  Vote vote_;
  Execution* execution_ = nullptr;  // under way
  SharedArray* target_side_ = nullptr;
  ArrayPlace target_place_;
  Array from_, to_;
  std::int64_t run_ = 0;
  bool is_under_way_ = false, has_voted_ = true;
  std::exception_ptr failure_, refusal_, callback_failure_;
  std::function<void()> callback_;
};

/// The flights of a plan. Waits for them when it goes, and closes them; those that failed on the
/// way are left to MPI, memory and all.
class Flights {
 public:
  Flights() = default;
  Flights(Flights&&) noexcept = default;
  Flights& operator=(Flights&&) = delete;
  ~Flights();

  void add(std::shared_ptr<Flight> flight) { all_.push_back(std::move(flight)); }
  const std::vector<std::shared_ptr<Flight>>& all() const { return all_; }

 private:
  std::vector<std::shared_ptr<Flight>> all_;
};

}  // namespace weft
