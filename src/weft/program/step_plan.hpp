// program/step_plan: the steps of one direction of a strategy, and all that is decided about them
// alike for all ranks: where copies are needed, which passes work in place or share a sweep, and
// where data rest between passes.
// Pure. Keeps: every rank decides the same, as each looks at all of them.
#pragma once

#include <optional>
#include <vector>

#include "weft/grid/blocks.hpp"
#include "weft/program/blueprint.hpp"
#include "weft/program/pass_spec.hpp"

namespace weft {

/// Roles of the user's arrays (see BufferSpec::role).
constexpr int source_role = 0, target_role = 1;

/// A user's array in which data rest between two passes: with their giver, or with their taker.
struct ArrayRest {
  int role;
  bool with_taker;
};

/// A stage of the strategy in the order of execution.
struct PlannedStep {
  Stage stage;
  const Decomposition* real;      ///< before the forward stage
  const Decomposition* spectral;  ///< after it
  Scalar real_scalar, spectral_scalar;
  Cutting cutting;              ///< in this direction
  bool shares_memory = false;   ///< an exchange that does
  bool works_in_place = false;  ///< a pass on what the pass before has stored
  bool joins_next = false;      ///< a pass that shares a sweep with the next
};

class StepPlan {
 public:
  StepPlan(const Blueprint& blueprint, bool forward);

  const Blueprint& blueprint() const { return *blueprint_; }
  bool forward() const { return forward_; }
  int half_axis() const { return half_axis_; }
  std::size_t size() const { return steps_.size(); }
  const PlannedStep& operator[](std::size_t i) const { return steps_[i]; }

  bool is_pass(std::size_t i) const {
    return i < steps_.size() && std::holds_alternative<PassStage>(steps_[i].stage);
  }
  const std::vector<int>& axes(std::size_t pass) const {
    return std::get<PassStage>(steps_[pass].stage).axes;
  }
  const Decomposition& before(std::size_t i) const;
  const Decomposition& after(std::size_t i) const;
  Scalar scalar_before(std::size_t i) const;
  Scalar scalar_after(std::size_t i) const;
  /// The first of the passes that follow each other up to `exchange`; `exchange` if there is none.
  std::size_t first_pass_before(std::size_t exchange) const;

  /// The first and the last pass of the sweep that a pass belongs to; of an exchange, itself.
  std::size_t sweep_first(std::size_t i) const;
  std::size_t sweep_last(std::size_t i) const;

  /// Steps run at the same time, each in memory of its own, as messages arrive. Else they run one
  /// after the other and use the same memory in turn.
  bool overlaps() const { return overlaps_; }
  /// The last step that reads the user's source.
  std::size_t source_last_step() const { return source_last_step_; }
  /// The cutting of an exchange: one piece where steps follow each other.
  Cutting cutting_of(std::size_t exchange) const {
    return overlaps_ ? steps_[exchange].cutting : Cutting{};
  }
  /// The first tag of an exchange's messages: every cell of every exchange has a tag of its own.
  int first_tag(std::size_t exchange) const;

  /// The user's array in which what `exchange` leaves in its node rests, if it may.
  std::optional<ArrayRest> rest_in_array(std::size_t exchange) const;
  /// Whether what a pass stores lies in the user's target, this rank's or another's.
  bool stores_to_target(std::size_t pass) const;
  /// Whether an exchange that shares memory may be stored to only when all ranks of the node have
  /// begun it, and so have run what is before.
  bool opens_together(std::size_t exchange) const;

  /// In place: whether what an exchange that shares memory leaves in the node is stored to arrays
  /// of other ranks, which are their sources too.
  bool stores_to_unread_arrays(std::size_t exchange) const;

  /// Where any rank's source or target array lies, as patches of `buffer`.
  Patches array_of(int rank, int role, int buffer) const;
  /// Bytes of a rank's source or target array.
  std::int64_t array_bytes(int rank, int role) const;

  TileLimits tile_limits(std::size_t pass) const;
  /// Per axis, where tiles of a rank are not to cross: the bounds of the messages that they store
  /// to, and those of the parts that exchanges are cut into.
  std::vector<std::vector<std::int64_t>> cuts_of(int rank, std::size_t pass) const;
  /// The passes from `first` to `last` walked block by block: the blocks of each of a rank's boxes.
  /// Nothing where a block would not stay in the cache.
  std::optional<std::vector<Blocks>> blocks_of(int rank, std::size_t first, std::size_t last) const;

 private:
  void list_steps();
  void find_source_last_step();
  void require_tags() const;
  bool arrays_match() const;
  bool user_arrays_collide() const;
  void add_copy();
  bool changes_nothing_but_values(std::size_t i) const;
  bool ends_where_it_starts(std::size_t last_exchange) const;
  bool stays_in_nodes(std::size_t exchange) const;
  bool lies_as_source(std::size_t pass) const;
  void find_passes_in_place();
  void join_passes();

  const Blueprint* blueprint_;
  bool forward_;
  int half_axis_ = -1;            // inner
  bool mixes_exchanges_ = false;  // some share memory, some do not
  bool overlaps_ = false;
  bool arrays_match_ = false;  // in place: all ranks' source and target lie alike
  std::size_t source_last_step_ = 0;
  std::vector<PlannedStep> steps_;
};

}  // namespace weft
