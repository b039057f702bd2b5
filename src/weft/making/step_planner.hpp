// making/step_planner: decides about the steps of a plan: where copies are needed, which exchanges
// go through a ring, which passes work in place and which share a sweep. Pure.
#pragma once

#include <optional>

#include "weft/making/pass_tiling.hpp"
#include "weft/making/step_plan.hpp"

namespace weft {

/// Decides in an order in which no later decision undoes an earlier one, except that a ring may be
/// given up.
class StepPlanner {
 public:
  /// `plan`, of which nothing has been decided, must outlive it.
  explicit StepPlanner(StepPlan& plan) : plan_(plan), tiling_(plan) {}

  void decide();

 private:
  bool in_place() const { return plan_.blueprint().problem.in_place; }
  std::size_t last() const { return plan_.size() - 1; }
  bool begins_in_arrays_of_others() const { return !plan_.is_pass(0) && plan_[0].shares_memory; }
  bool user_arrays_collide() const;
  void add_copies_at_ends();
  std::optional<Ring> possible_ring(std::size_t exchange) const;
  Cutting ring_cutting(std::size_t exchange, Ring ring) const;
  void find_rings();
  bool drop_ring();
  bool lies_as_source(std::size_t pass) const;
  bool can_work_in_place(std::size_t pass) const;
  void find_passes_in_place();
  void join_passes();

  StepPlan& plan_;
  PassTiling tiling_;
};

}  // namespace weft
