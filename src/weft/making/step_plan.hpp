// making/step_plan: where the data of one direction of a strategy rest between its steps, and what
// ranks must not do before others are ready.
// Pure. Keeps: agreement - every rank decides from the data of all ranks, so all decide the same.
#pragma once

#include <optional>

#include "weft/making/step_list.hpp"
#include "weft/making/user_arrays.hpp"

namespace weft {

/// A user's array in which an exchange keeps data that stay in their node.
struct StationaryArray {
  int role;        ///< source_role or target_role
  bool at_target;  ///< it is the array of the rank that loads the data, not of the one that stores
  bool own_only;   ///< only what a rank keeps for itself; the rest is in buffers
};

/// The steps of one direction, about which everything that is the same on all ranks is decided:
/// where copies are needed, which passes work in place or share a sweep, which exchanges go through
/// a ring.
class StepPlan : public StepList {
 public:
  /// `blueprint` must outlive the plan. Error::invalid if the exchanges need more tags than MPI
  /// has.
  StepPlan(const Blueprint& blueprint, bool forward);

  /// Whether no rank works on an array of another.
  bool keeps_apart() const { return keeps_apart_; }
  /// Whether the plan is in place, and points have the same address in source and target.
  bool arrays_match() const { return arrays_match_; }
  /// Whether arrays match, and `exchange`, the last one, brings every point back to the address at
  /// which the first step found it.
  bool ends_where_it_starts(std::size_t exchange) const {
    return arrays_match_ && before(0) == after(exchange);
  }

  /// The user's array in which `exchange` keeps data that stay in their node; nothing if it must
  /// keep them in a buffer.
  std::optional<StationaryArray> stationary_array(std::size_t exchange) const;
  /// Whether a pass stores to the user's target array of this rank or of another.
  bool stores_to_target(std::size_t pass) const;
  /// Whether the plan is in place, and an exchange that shares memory stores data that stay in the
  /// node to arrays of other ranks, which are the sources of these ranks, too.
  bool stores_to_unread_arrays(std::size_t exchange) const;
  /// Whether ranks may store to the memory of `exchange`, which shares memory, only after all ranks
  /// of the node have begun it and so have run the steps before it.
  bool opens_together(std::size_t exchange) const;

 private:
  bool keeps_apart_, arrays_match_;
};

}  // namespace weft
