// making/step_plan: the steps of one direction of a strategy, and all decisions about them that
// are the same on all ranks: where copies are needed, which passes work in place or share a sweep,
// and where data are kept between passes.
// Pure. Keeps: agreement - every rank decides from the data of all ranks, so all decide the same.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/grid/blocks.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/making/exchange_layout.hpp"
#include "weft/program/pass_spec.hpp"

namespace weft {

/// Roles of the user's arrays (see BufferSpec::role).
constexpr int source_role = 0, target_role = 1;

/// A user's array in which an exchange keeps data that stay in their node.
struct StationaryArray {
  int role;        ///< source_role or target_role
  bool at_target;  ///< it is the array of the rank that loads the data, not of the one that stores
  bool own_only;   ///< only what a rank keeps for itself; the rest is in buffers
};

/// A stage of the strategy in the order of execution.
struct PlannedStep {
  Stage stage;
  const Decomposition* real;      ///< before the stage in the forward direction
  const Decomposition* spectral;  ///< after the stage in the forward direction
  Scalar real_scalar, spectral_scalar;
  Cutting cutting;              ///< in this direction
  bool shares_memory = false;   ///< it is an exchange that shares memory in nodes
  bool works_in_place = false;  ///< it is a pass that overwrites what the pass before has stored
  bool joins_next = false;      ///< it is a pass that shares a sweep with the next pass
  Ring ring = Ring::none;       ///< it is an exchange through a ring
  int number = -1;              ///< of the stage in the strategy; -1: a copy that was added
};

/// The steps of one direction, in the order of execution. Steps are numbered from 0; a parameter
/// `pass` or `exchange` is the number of such a step.
class StepPlan {
 public:
  /// `blueprint` must outlive the plan. Error::invalid if the exchanges need more tags than MPI
  /// has.
  StepPlan(const Blueprint& blueprint, bool forward);

  const Blueprint& blueprint() const { return *blueprint_; }
  bool forward() const { return forward_; }
  /// The axis that r2c halves, as the passes number the axes; -1 for c2c.
  int half_axis() const { return half_axis_; }
  std::size_t size() const { return steps_.size(); }
  const PlannedStep& operator[](std::size_t i) const { return steps_[i]; }

  /// Whether there is a step i and it is a pass.
  bool is_pass(std::size_t i) const {
    return i < steps_.size() && std::holds_alternative<PassStage>(steps_[i].stage);
  }
  /// The axes that a pass transforms; none: it copies.
  const std::vector<int>& axes(std::size_t pass) const {
    return std::get<PassStage>(steps_[pass].stage).axes;
  }
  /// Decomposition and scalar type of the field before and after step i, in this direction.
  const Decomposition& before(std::size_t i) const;
  const Decomposition& after(std::size_t i) const;
  Scalar scalar_before(std::size_t i) const;
  Scalar scalar_after(std::size_t i) const;
  /// The first of the consecutive passes directly before `exchange`; `exchange` if there are none.
  std::size_t first_pass_before(std::size_t exchange) const;

  /// The first and the last pass of the sweep that pass i belongs to; i itself for an exchange.
  std::size_t sweep_first(std::size_t i) const;
  std::size_t sweep_last(std::size_t i) const;

  /// Whether no rank works on an array of another.
  bool keeps_apart() const { return keeps_apart_; }
  Ring ring(std::size_t i) const { return i < steps_.size() ? steps_[i].ring : Ring::none; }
  bool has_ring(std::size_t i) const { return ring(i) != Ring::none; }
  /// The cells that are in the ring of `exchange` at a time; 0 without a ring.
  int slots(std::size_t exchange) const {
    constexpr int most = 3;  // one is stored, one is copied, and one lies between
    return has_ring(exchange) ? std::min(most, steps_[exchange].cutting.cells()) : 0;
  }
  /// Whether a pass is the copy beside a ring: it copies what other ranks need, or have stored.
  bool copies_ring(std::size_t pass) const {
    return (pass == 0 && ring(1) == Ring::from_source) ||
           (pass > 0 && pass + 1 == steps_.size() && ring(pass - 1) == Ring::to_target);
  }
  /// The first and the last of the steps that run at the same time as step i, itself included.
  std::size_t together_first(std::size_t i) const;
  std::size_t together_last(std::size_t i) const;

  /// Whether steps overlap: they run at the same time as messages arrive, each in memory of its
  /// own. Otherwise they run one after the other and use the same memory in turn.
  bool overlaps() const { return overlaps_; }
  /// The last step that reads the user's source.
  std::size_t source_last_step() const { return source_last_step_; }
  /// The cutting of an exchange; it is cut only if steps overlap, or for a ring.
  Cutting cutting_of(std::size_t exchange) const {
    return overlaps_ || has_ring(exchange) ? steps_[exchange].cutting : Cutting{};
  }
  /// The first tag of an exchange's messages. Every cell of every exchange has a tag of its own,
  /// but those of rings, which stay in their node.
  int first_tag(std::size_t exchange) const;

  /// The user's array in which `exchange` keeps data that stay in their node; nothing if it must
  /// keep them in a buffer.
  std::optional<StationaryArray> stationary_array(std::size_t exchange) const;
  /// Whether a pass stores to the user's target array of this rank or of another.
  bool stores_to_target(std::size_t pass) const;
  /// Whether ranks may store to the memory of `exchange`, which shares memory, only after all ranks
  /// of the node have begun it and so have run the steps before it.
  bool opens_together(std::size_t exchange) const;

  /// Whether the plan is in place, and an exchange that shares memory stores data that stay in the
  /// node to arrays of other ranks, which are the sources of these ranks, too.
  bool stores_to_unread_arrays(std::size_t exchange) const;

  /// The source or target array of any rank, as patches of `buffer`.
  Patches array_of(int rank, int role, int buffer) const;
  /// Bytes of a rank's source or target array.
  std::int64_t array_bytes(int rank, int role) const;

  /// Whether so many bytes of a rank exceed half of its part of the shared caches: passes then
  /// bypass them, which would not hold the data until they are read again, and prefetch, as what
  /// they load is not there, either.
  bool exceeds_caches(double bytes) const;
  /// Limits of the size of a pass's tiles, so that a tile fits the cache.
  TileLimits tile_limits(std::size_t pass) const;
  /// Positions, for each axis, that tiles of a rank must not cross: the bounds of the messages that
  /// they store to, and of the parts that exchanges are cut into.
  std::vector<std::vector<std::int64_t>> cuts_of(int rank, std::size_t pass) const;
  /// The blocks of each of a rank's boxes, if the passes from `first` to `last` are run block by
  /// block. Nothing if a block would not stay in the cache, or there are too few for the threads.
  std::optional<std::vector<Blocks>> blocks_of(int rank, std::size_t first, std::size_t last) const;

 private:
  void list_steps();
  void find_source_last_step();
  void require_tags() const;
  bool arrays_match() const;
  bool user_arrays_collide() const;
  void add_copy();
  void add_copy_at(bool start);
  void add_copies_at_ends();
  bool is_copy(std::size_t i) const { return is_pass(i) && axes(i).empty(); }
  std::optional<Ring> possible_ring(std::size_t exchange) const;
  Cutting ring_cutting(std::size_t exchange, Ring ring) const;
  std::vector<std::size_t> passes_beside(std::size_t exchange, Ring ring) const;
  bool runs_with_next(std::size_t i) const {
    return steps_[i].joins_next || has_ring(i) || has_ring(i + 1);
  }
  void find_rings();
  bool drop_ring();
  bool changes_nothing_but_values(std::size_t i) const;
  bool ends_where_it_starts(std::size_t last_exchange) const;
  bool stays_in_nodes(std::size_t exchange) const;
  bool lies_as_source(std::size_t pass) const;
  void find_passes_in_place();
  void join_passes();
  int run_axis(std::size_t pass) const;
  double bytes_of_a_rank(std::size_t pass) const;
  std::int64_t run_bytes(std::size_t pass) const;

  const Blueprint* blueprint_;
  bool forward_;
  int half_axis_ = -1;
  bool mixes_exchanges_ = false;  // some share memory, some do not
  bool overlaps_ = false;
  bool arrays_match_ = false;  // in place, and points have the same address in source and target
  bool keeps_apart_ = false;
  std::size_t source_last_step_ = 0;
  std::vector<PlannedStep> steps_;
};

}  // namespace weft
