// making/step_plan: where data rest.

#include "weft/making/step_plan.hpp"

#include "weft/making/step_planner.hpp"

namespace weft {

StepPlan::StepPlan(const Blueprint& blueprint, bool forward)
    : StepList(blueprint, forward),
      keeps_apart_(blueprint.arrays == Arrays::any &&
                   blueprint.machine.nodes() < blueprint.machine.ranks),
      arrays_match_(blueprint.problem.in_place && user_arrays_match(*this)) {
  StepPlanner(*this).decide();
}

// Data that stay in their node are kept in users' arrays in three cases: if the exchange is the
// first or the last step; if all steps after it are passes that then work in place on their own
// target; and if the last exchange brings all points back, so that the passes before it store to
// the addresses that they load from. Where arrays are kept apart, this holds for what a rank keeps
// for itself.
std::optional<StationaryArray> StepPlan::stationary_array(std::size_t i) const {
  if (ring(i) == Ring::from_source) return StationaryArray{source_role, false, true};
  if (ring(i) == Ring::to_target) return StationaryArray{target_role, true, true};
  // Steps that use an array in turn must not overlap.
  if (overlaps() || !(*this)[i].shares_memory) return std::nullopt;
  const std::size_t last = size() - 1;
  if (i == 0) return StationaryArray{source_role, false, false};
  if (i == last) return StationaryArray{target_role, true, false};
  // Where boxes are only parts of a grid, not all of an array is stored, or loaded.
  if (before(i).is_of_parts() || after(i).is_of_parts()) return std::nullopt;
  std::size_t next = i + 1;  // becomes the next exchange, or the end
  for (; is_pass(next); ++next)
    if (!changes_nothing_but_values(next)) return std::nullopt;
  const bool at_target = next == last + 1;
  const bool is_last_exchange = next == last || (next + 1 == last && has_ring(next));
  const bool at_source =
      is_last_exchange && (*this)[next].shares_memory && before(i) == after(next);
  if (!at_target && !at_source) return std::nullopt;
  // In place, data that are kept in the target overwrite the source.
  const bool source_is_read = i - 1 > source_last_step();
  const bool stays_apart = at_target ? source_last_step() > 0 && ends_where_it_starts(i)
                                     : source_last_step() == 0 && i == 1 && arrays_match_;
  if (blueprint().problem.in_place && !source_is_read && !stays_apart) return std::nullopt;
  return StationaryArray{target_role, at_target, keeps_apart_};
}

// Ranks must open an exchange together if they store to memory that other ranks still use: memory
// that no earlier exchange of the node has released, or in place arrays that the others have not
// read yet.
bool StepPlan::opens_together(std::size_t exchange) const {
  return mixes_exchanges() || stores_to_unread_arrays(exchange);
}

bool StepPlan::stores_to_unread_arrays(std::size_t exchange) const {
  const auto stationary = stationary_array(exchange);
  return blueprint().problem.in_place && stationary && stationary->role == target_role &&
         stationary->at_target && !stationary->own_only;
}

bool StepPlan::stores_to_target(std::size_t pass) const {
  if (pass + 1 == size()) return true;
  if (is_pass(pass + 1)) return (*this)[pass + 1].works_in_place && stores_to_target(pass + 1);
  const auto stationary = stationary_array(pass + 1);
  return stationary && stationary->role == target_role;
}

}  // namespace weft
