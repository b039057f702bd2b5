// making/step_planner: copies, passes in place, and shared sweeps.

#include "weft/making/step_planner.hpp"

namespace weft {

void StepPlanner::decide() {
  if (plan_.keeps_apart()) add_copies_at_ends();
  // At the end. If the first step is an exchange in which other ranks load from the source, at the
  // beginning instead, so that a rank may store without waiting until the others have loaded.
  while (user_arrays_collide()) plan_.add_copy(begins_in_arrays_of_others());
  if (plan_.keeps_apart()) find_rings();
  do {
    find_passes_in_place();
    join_passes();
  } while (drop_ring());
}

// In place, the source must have been read before the target is written. If points have the same
// address in both, this holds tile by tile. Otherwise a copy is added at the end, and the steps
// before it leave their result in the workspace.
bool StepPlanner::user_arrays_collide() const {
  if (!in_place()) return false;
  if (last() == 0) return !plan_.is_pass(0) || !plan_.arrays_match();
  if (last() == 1 && !plan_.is_pass(0) && plan_[0].shares_memory) return true;
  const std::size_t writes = plan_.is_pass(last()) ? last() : last() - 1;
  if (writes > plan_.source_last_step()) return false;
  return !(writes == 1 && last() == 2 && plan_.ends_where_it_starts(2));
}

// The sweeps beside an exchange at an end may load from and store to arrays of this rank only. What
// other ranks have in theirs is copied.
void StepPlanner::add_copies_at_ends() {
  if (begins_in_arrays_of_others()) plan_.add_copy(true);
  if (!plan_.is_pass(last()) && plan_[last()].shares_memory) plan_.add_copy(false);
}

// Whether the plan is in place and pass 1 stores every point, on every rank, to the address at
// which pass 0 found it.
bool StepPlanner::lies_as_source(std::size_t pass) const {
  if (pass != 1 || !plan_.arrays_match()) return false;
  std::size_t next = pass + 1;
  for (; plan_.is_pass(next); ++next)
    if (!plan_[next].works_in_place) return false;
  if (next == plan_.size()) return true;
  const auto stationary = plan_.stationary_array(next);
  return stationary && stationary->role == target_role && !stationary->at_target &&
         plan_.stays_in_nodes(next);
}

// Whether a pass may work in place on what the pass before has stored. Between two passes no data
// move between ranks.
bool StepPlanner::can_work_in_place(std::size_t pass) const {
  if (!plan_.changes_nothing_but_values(pass)) return false;
  std::size_t next = pass;  // becomes the next exchange, or the end
  while (plan_.is_pass(next)) ++next;
  const bool is_exchange = next < plan_.size();
  // What becomes parts, or waves, does not hold all that the pass needs.
  if (is_exchange ? plan_.after(next).is_of_parts()
                  : plan_.forward() && plan_.blueprint().columns != nullptr)
    return false;
  if (in_place() && pass - 1 <= plan_.source_last_step() && plan_.stores_to_target(pass)) {
    const bool brings_back =
        plan_.source_last_step() > 0 && is_exchange && plan_.ends_where_it_starts(next);
    if (!lies_as_source(pass) && !brings_back) return false;  // it would overwrite the source
  }
  if (!is_exchange || !plan_[next].shares_memory || !plan_.opens_together(next)) return true;
  // A pass must not store to an exchange that opens together before the exchange is open.
  const auto stationary = plan_.stationary_array(next);
  const bool reaches_others =
      (stationary && stationary->at_target && !stationary->own_only) || !plan_.stays_in_nodes(next);
  return !reaches_others;
}

// A pass that changes only values works in place on its own target, which is the user's array or a
// set of message buffers. Otherwise the data are kept in a buffer between the passes.
void StepPlanner::find_passes_in_place() {
  for (std::size_t i = last(); i > 0; --i)
    if (plan_.is_pass(i) && plan_.is_pass(i - 1)) plan_[i].works_in_place = can_work_in_place(i);
}

// Passes that work in place on what the pass before has stored share a sweep, as long as their
// blocks fit the shared cache on all ranks, so that all ranks have the same steps.
void StepPlanner::join_passes() {
  std::size_t first = 0;
  for (std::size_t i = 1; i < plan_.size(); ++i) {
    bool joins = plan_.is_pass(i) && plan_.is_pass(i - 1) && !plan_.axes(i).empty() &&
                 plan_[i].works_in_place && !plan_.is_whole(i) && !plan_.is_whole(i - 1);
    for (int rank = 0; joins && rank < plan_.blueprint().machine.ranks; ++rank)
      joins = tiling_.blocks(rank, first, i).has_value();
    plan_[i - 1].joins_next = joins;
    if (!joins) first = i;
  }
}

}  // namespace weft
