// making/step_list: lists the stages of a strategy, and answers questions about them.

#include "weft/making/step_list.hpp"

#include "weft/making/exchange_table.hpp"
#include "weft/planning/traffic.hpp"

namespace weft {

StepList::StepList(const Blueprint& blueprint, bool forward)
    : blueprint_(&blueprint),
      forward_(forward || blueprint.moves_parts()),
      half_axis_(blueprint.route.states.half()) {
  add_stages();
  require_tags();
}

void StepList::add_stages() {
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
}

void StepList::add_copy(bool at_start) {
  const std::size_t step = at_start ? 0 : steps_.size() - 1;
  const Decomposition* at = at_start ? &before(step) : &after(step);
  const Scalar scalar = at_start ? scalar_before(step) : scalar_after(step);
  steps_.insert(at_start ? steps_.begin() : steps_.end(),
                {PassStage{}, at, at, scalar, scalar, {}});
}

// Behind a ring at the start, the second pass reads what the rank keeps from the source.
std::size_t StepList::source_last_step() const {
  if (ring(1) == Ring::from_source) return 2;
  return !is_pass(0) && steps_[0].shares_memory ? 1 : 0;
}

int StepList::first_tag(std::size_t exchange) const {
  int tag = 0;
  for (std::size_t i = 0; i < exchange; ++i)
    if (!is_pass(i) && !has_ring(i)) tag += cutting_of(i).cells();
  return tag;
}

void StepList::require_tags() const {
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

const Decomposition& StepList::before(std::size_t i) const {
  return forward_ ? *steps_[i].real : *steps_[i].spectral;
}

const Decomposition& StepList::after(std::size_t i) const {
  return forward_ ? *steps_[i].spectral : *steps_[i].real;
}

Scalar StepList::scalar_before(std::size_t i) const {
  return forward_ ? steps_[i].real_scalar : steps_[i].spectral_scalar;
}

Scalar StepList::scalar_after(std::size_t i) const {
  return forward_ ? steps_[i].spectral_scalar : steps_[i].real_scalar;
}

std::size_t StepList::first_pass_before(std::size_t exchange) const {
  std::size_t first = exchange;
  while (first > 0 && is_pass(first - 1)) --first;
  return first;
}

std::size_t StepList::sweep_first(std::size_t i) const {
  while (i > 0 && i <= size() && steps_[i - 1].joins_next) --i;
  return i;
}

std::size_t StepList::sweep_last(std::size_t i) const {
  while (i < size() && steps_[i].joins_next) ++i;
  return i;
}

std::size_t StepList::together_first(std::size_t i) const {
  while (i > 0 && i <= size() && runs_with_next(i - 1)) --i;
  return i;
}

std::size_t StepList::together_last(std::size_t i) const {
  while (i < size() && runs_with_next(i)) ++i;
  return i;
}

bool StepList::changes_nothing_but_values(std::size_t i) const {
  return steps_[i].real_scalar == steps_[i].spectral_scalar &&
         *steps_[i].real == *steps_[i].spectral;
}

bool StepList::stays_in_nodes(std::size_t exchange) const {
  const Machine& machine = blueprint_->machine;
  return machine.nodes() == 1 ||
         busiest_traffic(before(exchange), after(exchange), machine).far_points == 0;
}

std::vector<std::size_t> StepList::passes_beside(std::size_t exchange, Ring ring) const {
  std::vector<std::size_t> passes;
  if (ring == Ring::from_source)
    for (std::size_t i = exchange + 1; is_pass(i); ++i) passes.push_back(i);
  else
    for (std::size_t i = exchange; i > 0 && is_pass(i - 1); --i) passes.push_back(i - 1);
  return passes;
}

}  // namespace weft
