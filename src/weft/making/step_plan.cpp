// making/step_plan: lists the steps, and decides which may work in place.

#include "weft/making/step_plan.hpp"

#include <algorithm>

#include "weft/making/exchange_table.hpp"
#include "weft/planning/traffic.hpp"

namespace weft {

StepPlan::StepPlan(const Blueprint& blueprint, bool forward)
    : blueprint_(&blueprint), forward_(forward || blueprint.moves_parts()) {
  half_axis_ = blueprint.route.states.half();
  keeps_apart_ =
      blueprint.arrays == Arrays::any && blueprint.machine.nodes() < blueprint.machine.ranks;
  list_steps();
  require_tags();
  arrays_match_ = blueprint.problem.in_place && arrays_match();
  if (keeps_apart_) add_copies_at_ends();
  while (user_arrays_collide()) add_copy();
  if (keeps_apart_) find_rings();
  do {
    find_passes_in_place();
    join_passes();
  } while (drop_ring());
}

void StepPlan::list_steps() {
  const Route& route = blueprint_->route;
  unsigned done = 0;
  for (std::size_t i = 0; i < blueprint_->strategy.stages.size(); ++i) {
    const Cutting& cutting = blueprint_->cuttings[i];
    PlannedStep step{blueprint_->strategy.stages[i],
                     &route.before[i],
                     &route.after[i],
                     route.states.scalar(done),
                     route.states.scalar(done),
                     forward_ ? cutting : cutting.reversed()};
    step.number = static_cast<int>(i);
    if (const auto* pass = std::get_if<PassStage>(&step.stage)) {
      done |= FieldStates::set_of(pass->axes);
      step.spectral_scalar = route.states.scalar(done);
    } else {
      const auto& name = std::get<ExchangeStage>(step.stage).exchange;
      step.shares_memory =
          find_exchange(name, blueprint_->problem, blueprint_->machine).shares_memory;
    }
    steps_.push_back(step);
  }
  if (!forward_) std::reverse(steps_.begin(), steps_.end());
  int sharing = 0, others = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!is_pass(i)) ++(steps_[i].shares_memory ? sharing : others);
    overlaps_ = overlaps_ || steps_[i].cutting.cells() > 1;
  }
  overlaps_ = overlaps_ && is_pass(0) && is_pass(steps_.size() - 1);
  mixes_exchanges_ = sharing > 0 && others > 0;
  find_source_last_step();
}

// Behind a ring at the start, the second pass reads what the rank keeps from the source.
void StepPlan::find_source_last_step() {
  source_last_step_ = ring(1) == Ring::from_source             ? 2
                      : !is_pass(0) && steps_[0].shares_memory ? 1
                                                               : 0;
}

int StepPlan::first_tag(std::size_t exchange) const {
  int tag = 0;
  for (std::size_t i = 0; i < exchange; ++i)
    if (!is_pass(i) && !has_ring(i)) tag += cutting_of(i).cells();
  return tag;
}

void StepPlan::require_tags() const {
  std::int64_t cells = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (!is_pass(i)) cells += cutting_of(i).cells();
  const std::int64_t tags = 1 + blueprint_->largest_tag;
  if (cells > tags)
    throw Error(Error::invalid,
                fmt::format("the exchanges of '{}' are cut into {} cells, but MPI tells only {} "
                            "messages of two ranks apart",
                            to_string(blueprint_->strategy), cells, tags),
                "take fewer chunks");
}

const Decomposition& StepPlan::before(std::size_t i) const {
  return forward_ ? *steps_[i].real : *steps_[i].spectral;
}

const Decomposition& StepPlan::after(std::size_t i) const {
  return forward_ ? *steps_[i].spectral : *steps_[i].real;
}

Scalar StepPlan::scalar_before(std::size_t i) const {
  return forward_ ? steps_[i].real_scalar : steps_[i].spectral_scalar;
}

Scalar StepPlan::scalar_after(std::size_t i) const {
  return forward_ ? steps_[i].spectral_scalar : steps_[i].real_scalar;
}

std::size_t StepPlan::first_pass_before(std::size_t exchange) const {
  std::size_t first = exchange;
  while (first > 0 && is_pass(first - 1)) --first;
  return first;
}

std::size_t StepPlan::sweep_first(std::size_t i) const {
  while (i > 0 && i <= size() && steps_[i - 1].joins_next) --i;
  return i;
}

std::size_t StepPlan::sweep_last(std::size_t i) const {
  while (i < size() && steps_[i].joins_next) ++i;
  return i;
}

std::size_t StepPlan::together_first(std::size_t i) const {
  while (i > 0 && i <= size() && runs_with_next(i - 1)) --i;
  return i;
}

std::size_t StepPlan::together_last(std::size_t i) const {
  while (i < size() && runs_with_next(i)) ++i;
  return i;
}

// In place, the source must have been read before the target is written. If points have the same
// address in both, this holds tile by tile. Otherwise a copy is added at the end, and the steps
// before it leave their result in the workspace.
bool StepPlan::user_arrays_collide() const {
  if (!blueprint_->problem.in_place) return false;
  const std::size_t last = steps_.size() - 1;
  if (last == 0) return !is_pass(0) || !arrays_match_;
  if (last == 1 && !is_pass(0) && steps_[0].shares_memory) return true;
  const std::size_t writes = is_pass(last) ? last : last - 1;
  if (writes > source_last_step_) return false;
  return !(writes == 1 && last == 2 && ends_where_it_starts(2));
}

// Adds a copy at the end. If the first step is an exchange in which other ranks load from the
// source, adds it at the beginning instead, so that a rank may store without waiting until the
// others have loaded.
void StepPlan::add_copy() { add_copy_at(!is_pass(0) && steps_[0].shares_memory); }

void StepPlan::add_copy_at(bool at_start) {
  const std::size_t step = at_start ? 0 : steps_.size() - 1;
  const Decomposition* at = at_start ? &before(step) : &after(step);
  const Scalar scalar = at_start ? scalar_before(step) : scalar_after(step);
  steps_.insert(at_start ? steps_.begin() : steps_.end(),
                {PassStage{}, at, at, scalar, scalar, {}});
  find_source_last_step();
}

bool StepPlan::changes_nothing_but_values(std::size_t i) const {
  return steps_[i].real_scalar == steps_[i].spectral_scalar &&
         *steps_[i].real == *steps_[i].spectral;
}

// Whether the plan is in place and `last_exchange` brings every point back to the address at which
// the first step found it.
bool StepPlan::ends_where_it_starts(std::size_t last_exchange) const {
  return arrays_match_ && before(0) == after(last_exchange);
}

bool StepPlan::stays_in_nodes(std::size_t exchange) const {
  const Machine& machine = blueprint_->machine;
  return machine.nodes() == 1 ||
         busiest_traffic(before(exchange), after(exchange), machine).far_points == 0;
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
  if (overlaps_ || !steps_[i].shares_memory) return std::nullopt;
  const std::size_t last = steps_.size() - 1;
  if (i == 0) return StationaryArray{source_role, false, false};
  if (i == last) return StationaryArray{target_role, true, false};
  // Where boxes are only parts of a grid, not all of an array is stored, or loaded.
  if (before(i).is_of_parts() || after(i).is_of_parts()) return std::nullopt;
  std::size_t next = i + 1;  // becomes the next exchange, or the end
  for (; is_pass(next); ++next)
    if (!changes_nothing_but_values(next)) return std::nullopt;
  const bool at_target = next == last + 1;
  const bool is_last_exchange = next == last || (next + 1 == last && has_ring(next));
  const bool at_source = is_last_exchange && steps_[next].shares_memory && before(i) == after(next);
  if (!at_target && !at_source) return std::nullopt;
  // In place, data that are kept in the target overwrite the source.
  const bool source_is_read = i - 1 > source_last_step_;
  const bool stays_apart = at_target ? source_last_step_ > 0 && ends_where_it_starts(i)
                                     : source_last_step_ == 0 && i == 1 && arrays_match_;
  if (blueprint_->problem.in_place && !source_is_read && !stays_apart) return std::nullopt;
  return StationaryArray{target_role, at_target, keeps_apart_};
}

// Ranks must open an exchange together if they store to memory that other ranks still use: memory
// that no earlier exchange of the node has released, or in place arrays that the others have not
// read yet.
bool StepPlan::opens_together(std::size_t exchange) const {
  return mixes_exchanges_ || stores_to_unread_arrays(exchange);
}

bool StepPlan::stores_to_unread_arrays(std::size_t exchange) const {
  const auto stationary = stationary_array(exchange);
  return blueprint_->problem.in_place && stationary && stationary->role == target_role &&
         stationary->at_target && !stationary->own_only;
}

bool StepPlan::stores_to_target(std::size_t pass) const {
  if (pass + 1 == steps_.size()) return true;
  if (is_pass(pass + 1)) return steps_[pass + 1].works_in_place && stores_to_target(pass + 1);
  const auto stationary = stationary_array(pass + 1);
  return stationary && stationary->role == target_role;
}

// Whether the plan is in place and pass 1 stores every point, on every rank, to the address at
// which pass 0 found it.
bool StepPlan::lies_as_source(std::size_t pass) const {
  if (pass != 1 || !arrays_match_) return false;
  std::size_t next = pass + 1;
  for (; is_pass(next); ++next)
    if (!steps_[next].works_in_place) return false;
  if (next == steps_.size()) return true;
  const auto stationary = stationary_array(next);
  return stationary && stationary->role == target_role && !stationary->at_target &&
         stays_in_nodes(next);
}

// Between two passes no data move between ranks. If the second pass changes only values, it works
// in place on its own target, which is the user's array or a set of message buffers. Otherwise the
// data are kept in a buffer between the passes.
void StepPlan::find_passes_in_place() {
  for (std::size_t i = steps_.size() - 1; i > 0; --i) {
    if (!is_pass(i) || !is_pass(i - 1)) continue;
    std::size_t next_exchange = i;
    while (is_pass(next_exchange)) ++next_exchange;
    const bool is_exchange = next_exchange < steps_.size();
    const bool overwrites_source =
        blueprint_->problem.in_place && i - 1 <= source_last_step_ && stores_to_target(i);
    const bool apart =
        !overwrites_source || lies_as_source(i) ||
        (source_last_step_ > 0 && is_exchange && ends_where_it_starts(next_exchange));
    // A pass must not store to an exchange that opens together before the exchange is open.
    const auto stationary = is_exchange ? stationary_array(next_exchange) : std::nullopt;
    const bool reaches_others = is_exchange && steps_[next_exchange].shares_memory &&
                                ((stationary && stationary->at_target && !stationary->own_only) ||
                                 !stays_in_nodes(next_exchange));
    const bool too_early = reaches_others && opens_together(next_exchange);
    // What becomes parts, or waves, does not hold all that the pass needs.
    const bool keeps_all =
        is_exchange ? !after(next_exchange).is_of_parts() : !forward_ || !blueprint_->columns;
    steps_[i].works_in_place = changes_nothing_but_values(i) && apart && !too_early && keeps_all;
  }
}

}  // namespace weft
