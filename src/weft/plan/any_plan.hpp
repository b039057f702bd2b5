// plan/any_plan: a strategy bound to a communicator and buffers, for element types known at run
// time. weft::Plan is the same with types known at compile time.
// Keeps: agreement - all ranks hold the same strategy, and an error on one is an error on all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/run/flight.hpp"
#include "weft/plan/options.hpp"
#include "weft/run/ticket.hpp"

namespace weft {

/// The planner's choice and its cost, as model/planner counts it, on nodes like this one: of how
/// many ranks on which nodes says `node_of_rank`. Not collective. Error::invalid as of AnyPlan.
Planned estimated_plan(const Problem& problem, const std::vector<int>& node_of_rank,
                       const Options& options);

/// One side of a plan on this rank: which boxes of the global grid, and where they lie in memory.
/// Fields of a batch follow each other, field_stride elements apart; a field's boxes follow each
/// other, the last axis contiguous.
struct Share {
  std::vector<Box> boxes;  ///< 0-based, half-open; on the grid of this side's extents
  UserArray array;
  Scalar scalar;
  Extents extents;            ///< of the whole grid
  std::int64_t elements = 0;  ///< room the field needs, batch included
};

/// A distributed transform of element types known at run time. Destroying it is collective, as it
/// frees communicators; after MPI_Finalize it frees memory only.
class AnyPlan {
 public:
  /// Collective over `comm`, which is duplicated. The same Error on every rank if the problem
  /// cannot be, or if ranks pass different ones (Error::mismatch).
  AnyPlan(MPI_Comm comm, const Problem& problem, const Options& options = {});

  /// Transforms forward (back). Collective. `from` is left as it is; in place, both are the same.
  /// The same as start_forward and wait.
  void forward(const void* from, void* to) { start(true, from, to).wait(); }
  void backward(const void* from, void* to) { start(false, from, to).wait(); }

  /// Starts a transform, and returns when all that can be done at once has been handed over: no
  /// computing yet. Collective in that the n-th start of a plan, blocking or not, is the same on
  /// all ranks; different plans may be started in different orders. Options::in_flight can be under
  /// way; one more waits for the first to end. Error::invalid if the arrays are the same and the
  /// plan is not in place, or the other way round, or if a transform under way works on one of
  /// them: on the rank that asks, and as a refusal at test or wait on the others. Error::mismatch
  /// there, on all ranks, if some start forward and others backward.
  Ticket start_forward(const void* from, void* to) { return start(true, from, to); }
  Ticket start_backward(const void* from, void* to) { return start(false, from, to); }

  const Problem& problem() const { return problem_; }
  const Strategy& strategy() const { return blueprint_->strategy; }
  const Machine& machine() const { return blueprint_->machine; }
  const std::string& engine() const { return blueprint_->strategy.engine; }
  /// What forward takes, and what it makes, on this rank.
  const Share& input() const { return input_; }
  const Share& output() const { return output_; }
  const std::shared_ptr<const Communicator>& comm() const { return comm_; }

  /// Threads that run the transform on this rank.
  int threads() const { return blueprint_->machine.threads(comm_->rank()); }
  /// Bytes this rank holds beyond the user's arrays: buffers between stages, and tiles.
  /// An array that plan.make_input or make_output (or allocate) did not make is stood in for where
  /// the node works on it; what that takes counts from the first run with such an array on.
  std::int64_t workspace_bytes() const;

  /// Zeroed memory for an input or output of this plan, where the ranks of a node can work on each
  /// other's. Not collective. Plans take any memory, but may have to copy other memory once more.
  std::shared_ptr<std::byte> allocate(std::int64_t bytes) const {
    return field_memory(bytes, shares_memory_ && node_ranks_ > 1, threads());
  }

  /// The strategy, where the data lie stage by stage (rank 0's share), and what it costs. The same
  /// on every rank.
  std::string describe() const;

  /// Tiles of a pass that were computed together, and who waited for them.
  struct ItemTime {
    Feeds feeds;
    double start, seconds;
  };
  /// A stage of the last run in a direction on this rank.
  struct StageTime {
    std::string name;
    bool is_exchange;
    double start, seconds;
    std::int64_t bytes, messages, message_bytes;  ///< sent to other ranks; to other nodes
    int segments;                 ///< that the message between a pair of nodes is cut into, at most
    double active_seconds;        ///< of an exchange: from the first message to the last
    std::vector<ItemTime> items;  ///< of a pass, as they ran
  };
  std::vector<StageTime> forward_stages() const { return stages(last_forward_->forward()); }
  std::vector<StageTime> backward_stages() const { return stages(last_backward_->backward()); }

 private:
  void check_same_on_all_ranks(const Options& options) const;
  std::string planned_text(const Problem& r2c, const Machine& machine, const Options& options);
  void share_out();
  void make_flights(const Options& options);
  Ticket start(bool is_forward, const void* from, void* to);
  std::optional<Error> reason_to_refuse(bool is_forward, const void* from, const void* to) const;
  static std::vector<StageTime> stages(const Execution& execution);

  std::shared_ptr<const Communicator> comm_;
  Problem problem_;
  std::shared_ptr<const Blueprint> blueprint_;
  std::shared_ptr<Engine> engine_;
  Share input_, output_;
  Flights flights_;
  std::size_t starts_ = 0;
  const Flight *last_forward_ = nullptr, *last_backward_ = nullptr;
  std::int64_t largest_workspace_bytes_ = 0;
  std::int64_t fewest_threads_ = 1, most_threads_ = 1;  // of any rank
  double cost_ = 0;
  bool shares_memory_ = false;
  int node_ranks_ = 1;
};

}  // namespace weft
