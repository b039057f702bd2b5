// making/step_tasks: the steps of a program that is being made, and those tasks of each that tasks
// of other steps wait for.
// Pure.
#pragma once

#include <vector>

#include "weft/making/exchange_layout.hpp"
#include "weft/making/step_plan.hpp"
#include "weft/making/task_builder.hpp"

namespace weft {

/// Where a step of a program comes from.
struct StepSource {
  std::size_t planned;           ///< the step of the plan; for a sweep, its first pass
  const ExchangeLayout* layout;  ///< null for a sweep
};

/// The steps of one rank's program, in their order, and the plan that they come from.
class ProgramSteps {
 public:
  /// `plan` and the layouts must outlive it.
  ProgramSteps(const StepPlan& plan, std::vector<StepSource> sources, int rank)
      : plan_(plan), sources_(std::move(sources)), rank_(rank) {}

  const StepPlan& plan() const { return plan_; }
  const Blueprint& blueprint() const { return plan_.blueprint(); }
  bool in_place() const { return blueprint().problem.in_place; }
  /// The number of ranks in the node of this one.
  int members() const;

  std::size_t size() const { return sources_.size(); }
  /// Whether there is a step i and it is a sweep (an exchange).
  bool is_sweep(std::size_t i) const { return i < size() && sources_[i].layout == nullptr; }
  bool is_exchange(std::size_t i) const { return i < size() && sources_[i].layout != nullptr; }
  bool shares_memory(std::size_t i) const { return plan_[sources_[i].planned].shares_memory; }
  bool has_ring(std::size_t i) const { return is_exchange(i) && layout(i).slots > 0; }
  const ExchangeLayout& layout(std::size_t i) const { return *sources_[i].layout; }
  /// The step of the plan that step i is; for a sweep, its first pass.
  std::size_t planned(std::size_t i) const { return sources_[i].planned; }
  /// The step that step `planned` of the plan belongs to; size() if the plan has no such step.
  std::size_t step_of(std::size_t planned) const;

 private:
  const StepPlan& plan_;
  std::vector<StepSource> sources_;
  int rank_;
};

/// Tasks of a step, as numbers; -1, or nothing, where there is none.
struct StepTasks {
  int begins = -1, passes = -1, opens = -1, finishes = -1;  ///< milestones
  /// Of an exchange: the task after which all that arrived has been loaded.
  int all_loaded = -1;
  /// Of a ring, by outgoing message: the await that its place may be stored to; by incoming
  /// message: the raise that it has been loaded.
  std::vector<int> has_room, loaded;
};

/// Adds these tasks, and the tasks `stored` and `arrived` of exchanges, which Step lists. Returns
/// them by step.
std::vector<StepTasks> add_step_tasks(const ProgramSteps& steps, TaskBuilder& tasks);

}  // namespace weft
