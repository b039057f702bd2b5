// run/program: one direction of a strategy, bound to this rank's buffers and ready to run, item of
// work by item of work. Keeps: quiet execution - running allocates nothing and builds nothing;
// nothing here waits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/memory/segment.hpp"
#include "weft/model/route.hpp"
#include "weft/run/schedule.hpp"
#include "weft/compute/sweep.hpp"

namespace weft {

/// Where a user's array lies: the layout of every box, and the distance between fields.
struct UserArray {
  std::vector<Layout> layouts;
  std::vector<std::int64_t> offsets;
  std::int64_t field_stride = 0;  ///< elements; times the batch: elements in all

  /// Boxes one after another, the last axis contiguous; rows of `room_of_row` elements where that
  /// is more (r2c in place needs a little room at the end of its real rows).
  static UserArray packed(const std::vector<Box>& boxes, std::int64_t room_of_row = 0);
};

/// What both directions of a plan are made of.
struct Blueprint {
  const Communicator* comm = nullptr;
  Problem problem;  ///< c2c or r2c
  Strategy strategy;
  Route route;
  std::vector<Cutting> cuttings;   ///< per stage, on the way forward
  std::int64_t real_row_room = 0;  ///< elements a row of the real array has at least
  Machine machine;
  Team* team = nullptr;  ///< the ranks of my node, if an exchange shares memory
  Effort effort = Effort::estimate;
  int threads = 1;  ///< of this rank

  /// The arrays of any rank: input and output of the forward direction.
  UserArray real_array(int rank) const {
    return UserArray::packed(route.user_input.boxes(rank), real_row_room);
  }
  UserArray spectral_array(int rank) const {
    return UserArray::packed(route.user_output.boxes(rank));
  }
};

/// An array as a program takes it: where it lies here, and, if the node is to see it, where that is
/// in shared memory.
struct ArrayPlace {
  std::byte* data = nullptr;
  std::optional<Segment::Location> shared;
};

/// Steps of one direction: passes, and exchanges between them; storages lie between the steps.
///
/// A run is begun, and then taken further by whoever has time for it: advance() looks what has
/// come, run_item() computes the most urgent of what is ready.
class Program {
 public:
  /// Collective: exchanges make communicators.
  Program(const Blueprint& blueprint, bool forward, Engine& engine);

  /// What a step is, and what this rank sends in it: bytes to other ranks, and of those, messages
  /// and bytes to other nodes; segments that the message between two nodes is cut into.
  struct StepReport {
    std::string name;
    bool is_exchange = false;
    std::int64_t bytes = 0, messages = 0, message_bytes = 0;
    int segments = 0;
  };

  std::int64_t workspace_bytes() const { return workspace_bytes_; }
  std::int64_t tile_bytes() const;
  const std::vector<StepReport>& steps() const { return reports_; }
  /// Of the last run.
  const Trace& trace() const { return trace_; }
  Feeds feeds(const Trace::Item& item) const {
    return steps_[item.step].sweep->items()[item.item].feeds;
  }

  /// Whether other ranks of the node work on my source (target) array: on every rank, if on any.
  bool shares_source() const { return shares_source_; }
  bool shares_target() const { return shares_target_; }

  /// Before the first run: `workspace_bytes()` at `workspaces[me]`, and those of the node's others.
  void set_workspaces(const std::vector<std::byte*>& workspaces);

  /// Begins a run from the user's `source` to the user's `target`; shared arrays say where they
  /// are. `number` counts the runs of all programs of the team.
  void begin(const ArrayPlace& source, const ArrayPlace& target, std::int64_t number);
  /// Lets exchanges move what they can. Any number of times, between tiles too.
  void move();
  /// Takes note of what has come and gone. True if there was something.
  bool advance();
  /// Of the item that run_item() would run, lower is sooner; Schedule::none if nothing is ready.
  int urgency() const { return schedule_.urgency(); }
  /// `between` is called after every tile.
  void run_item(const std::function<void()>& between);
  /// Not before all members have begun the run: two runs at most are known of any.
  bool is_complete() const {
    return schedule_.is_done() && open_exchanges_ == 0 &&
           (meets_ < 0 || schedule_.has_happened(meets_));
  }
  /// Waits until advance() may find something, where that takes one exchange; else returns at once.
  /// False if it did not wait.
  bool wait();
  /// Counts seconds from `begin` on, in which nothing could be done, as those of the exchange that
  /// was waited for.
  void waited(double begin, double seconds);

 private:
  Program() = default;

  // Memory between two steps. The user's arrays are the first and the last.
  struct Storage {
    std::int64_t bytes = 0;
    int first_step = 0, last_step = 0;  // written and read within
    enum Home { source, target, workspace } home = workspace;
    std::int64_t offset = 0;  // in its home
    int role = 0;             // the same number on every rank that has this storage
    int rank = mine;          // whose it is
    static constexpr int mine = -1;
  };
  // A sweep or an exchange, its events in the schedule, and where it is in this run.
  struct Step {
    std::unique_ptr<Sweep> sweep;
    std::unique_ptr<Exchange> exchange;
    bool shares_memory = false;  // the exchange does

    int begins = -1;         // an exchange may start, a sweep run
    int passes = -1;         // a sweep has run
    int opens = -1;          // an exchange may be stored to
    int finishes = -1;       // it has
    int first_arrival = -1;  // message m arrives: event first_arrival + m
    bool has_started = false, is_open = false, has_finished = false, is_loaded = false;
    std::size_t told = 0;  // of the exchange's arrivals
  };
  struct Work {
    std::size_t step, item;
  };

  friend class Binder;

  void make_schedule(bool overlaps, bool in_place, std::size_t source_last_sweep);
  void need_what_comes_before(std::size_t step, int item);
  void start(std::size_t step);
  bool advance_exchange(std::size_t step);
  std::uint32_t all_met() const { return runs_ * static_cast<std::uint32_t>(team_->size()); }
  void meet_arrays();

  std::vector<Storage> storages_;
  std::vector<TileMemory> tiles_;  // per thread
  std::vector<Step> steps_;
  std::vector<StepReport> reports_;
  Schedule schedule_;
  std::vector<Work> work_;  // by item of the schedule
  int open_exchanges_ = 0;
  Trace trace_;
  Addresses addresses_;
  std::int64_t workspace_bytes_ = 0;
  Team* team_ = nullptr;
  bool shares_source_ = false, shares_target_ = false;
  // The first step that works on others' arrays; how many members have said where theirs are, in
  // all runs; and the event that all have.
  std::size_t first_shared_step_ = 0;
  std::shared_ptr<Segment> met_memory_;
  Signal* met_ = nullptr;
  std::uint32_t runs_ = 0;
  int meets_ = -1;
  int first_array_ = 0;  // as numbered in the team
};

}  // namespace weft
