// making/step_list: the steps of one direction of a strategy, in the order of execution, and what
// was decided about each.
// Pure.
#pragma once

#include <algorithm>
#include <variant>
#include <vector>

#include "weft/making/blueprint.hpp"
#include "weft/making/exchange_layout.hpp"

namespace weft {

/// A stage of the strategy, or a copy that was added.
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

/// Steps are numbered from 0; a parameter `pass` or `exchange` is the number of such a step.
class StepList {
 public:
  /// The stages of the blueprint's strategy, about which nothing has been decided. `blueprint` must
  /// outlive the list. Error::invalid if the exchanges need more tags than MPI has.
  StepList(const Blueprint& blueprint, bool forward);

  const Blueprint& blueprint() const { return *blueprint_; }
  bool forward() const { return forward_; }
  /// The axis that r2c halves, as the passes number the axes; -1 for c2c.
  int half_axis() const { return half_axis_; }
  std::size_t size() const { return steps_.size(); }
  const PlannedStep& operator[](std::size_t i) const { return steps_[i]; }
  PlannedStep& operator[](std::size_t i) { return steps_[i]; }
  /// Adds a pass that copies, as the first step or as the last one.
  void add_copy(bool at_start);

  /// Whether there is a step i and it is a pass.
  bool is_pass(std::size_t i) const {
    return i < steps_.size() && std::holds_alternative<PassStage>(steps_[i].stage);
  }
  /// The axes that a pass transforms; none: it copies.
  const std::vector<int>& axes(std::size_t pass) const {
    return std::get<PassStage>(steps_[pass].stage).axes;
  }
  /// Whether a pass is one transform of a library.
  bool is_whole(std::size_t pass) const {
    return std::get<PassStage>(steps_[pass].stage).choice.is_whole.value_or(false);
  }
  bool is_copy(std::size_t i) const { return is_pass(i) && axes(i).empty(); }
  /// Decomposition and scalar type of the field before and after step i, in this direction.
  const Decomposition& before(std::size_t i) const;
  const Decomposition& after(std::size_t i) const;
  Scalar scalar_before(std::size_t i) const;
  Scalar scalar_after(std::size_t i) const;
  /// Whether a pass changes values, but neither their type nor where they belong.
  bool changes_nothing_but_values(std::size_t pass) const;
  /// Whether an exchange moves nothing between nodes.
  bool stays_in_nodes(std::size_t exchange) const;
  /// The first of the consecutive passes directly before `exchange`; `exchange` if there are none.
  std::size_t first_pass_before(std::size_t exchange) const;
  /// The last step that reads the user's source.
  std::size_t source_last_step() const;

  /// The first and the last pass of the sweep that pass i belongs to; i itself for an exchange.
  std::size_t sweep_first(std::size_t i) const;
  std::size_t sweep_last(std::size_t i) const;

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
  /// The passes that would run together with the copy of a ring of this kind.
  std::vector<std::size_t> passes_beside(std::size_t exchange, Ring ring) const;
  /// The first and the last of the steps that run at the same time as step i, itself included.
  std::size_t together_first(std::size_t i) const;
  std::size_t together_last(std::size_t i) const;

  /// Whether steps overlap: they run at the same time as messages arrive, each in memory of its
  /// own. Otherwise they run one after the other and use the same memory in turn.
  bool overlaps() const { return overlaps_; }
  /// Whether some exchanges share memory and others do not.
  bool mixes_exchanges() const { return mixes_exchanges_; }
  /// The cutting of an exchange; it is cut only if steps overlap, or for a ring.
  Cutting cutting_of(std::size_t exchange) const {
    return overlaps_ || has_ring(exchange) ? steps_[exchange].cutting : Cutting{};
  }
  /// The first tag of an exchange's messages. Every cell of every exchange has a tag of its own,
  /// but those of rings, which stay in their node.
  int first_tag(std::size_t exchange) const;

 private:
  void add_stages();
  void require_tags() const;
  bool runs_with_next(std::size_t i) const {
    return steps_[i].joins_next || has_ring(i) || has_ring(i + 1);
  }

  const Blueprint* blueprint_;
  bool forward_;
  int half_axis_ = -1;
  bool mixes_exchanges_ = false, overlaps_ = false;
  std::vector<PlannedStep> steps_;
};

}  // namespace weft
