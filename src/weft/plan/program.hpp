// plan/program: one direction of a strategy, bound to this rank's buffers and ready to run.
// Keeps: quiet execution - running allocates nothing and builds nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/model/route.hpp"
#include "weft/plan/sweep.hpp"

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
  UserArray real_array, spectral_array;  ///< input and output of the forward direction
  Machine machine;
  Effort effort = Effort::estimate;
  int threads = 1;  ///< of this rank
};

/// Steps of one direction: passes, and exchanges between them; storages lie between the steps.
class Program {
 public:
  /// Collective: exchanges make communicators.
  Program(const Blueprint& blueprint, bool forward, Engine& engine);

  /// What a step is, and what this rank sends in it: bytes to other ranks, and of those, messages
  /// and bytes to other nodes.
  struct StepReport {
    std::string name;
    std::int64_t bytes = 0, messages = 0, message_bytes = 0;
  };

  std::int64_t workspace_bytes() const { return workspace_bytes_; }
  std::int64_t tile_bytes() const;
  const std::vector<StepReport>& steps() const { return reports_; }
  /// Seconds per step of the last run; what a pass waits for messages counts as the exchange's.
  const Trace& trace() const { return trace_; }

  /// Runs from the user's `source` to the user's `target` with `workspace_bytes()` at `workspace`.
  void run(const void* source, void* target, std::byte* workspace);

 private:
  Program() = default;

  // Memory between two steps. The user's arrays are the first and the last.
  struct Storage {
    std::int64_t bytes = 0;
    int first_step = 0, last_step = 0;  // written and read within
    enum Home { source, target, workspace } home = workspace;
    std::int64_t offset = 0;  // in its home
  };
  struct Step {
    std::unique_ptr<Sweep> sweep;
    std::unique_ptr<Exchange> exchange;
  };

  friend class Binder;

  void run_pass(std::size_t step);

  std::vector<Storage> storages_;
  std::vector<TileMemory> tiles_;  // per thread
  std::vector<Step> steps_;
  std::vector<StepReport> reports_;
  Trace trace_;
  Addresses addresses_;
  std::int64_t workspace_bytes_ = 0;
};

}  // namespace weft
