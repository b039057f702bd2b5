// support/bound_plan: both directions of a blueprint, bound to memory and run to the end, as
// run/flight does, but in any order of items and with ranks that are late.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include "support/decompositions.hpp"
#include "support/joined_node.hpp"
#include "support/values.hpp"
#include "weft/making/maker.hpp"
#include "weft/run/delay.hpp"
#include "weft/run/execution.hpp"

namespace weft::test {

/// Makes this rank late now and then, at every place where a run can be late, while it lives.
class LateRank {
 public:
  explicit LateRank(Dice& dice) {
    of_process() = &dice;
    late_hook = [](Late) { dawdle(*of_process()); };
  }
  LateRank(const LateRank&) = delete;
  LateRank& operator=(const LateRank&) = delete;
  ~LateRank() { late_hook = nullptr; }

 private:
  static Dice*& of_process() {
    static Dice* dice = nullptr;
    return dice;
  }
  static void dawdle(Dice& dice) {
    if (dice.chance(3))
      std::this_thread::sleep_for(std::chrono::microseconds(dice.between(1, 300)));
  }
};

/// One rank's part of a plan. Everything but run() and the checks is collective.
class BoundPlan {
 public:
  BoundPlan(const Communicator& comm, const Blueprint& blueprint, Dice& dice,
            std::int64_t count_limit = std::numeric_limits<int>::max())
      : blueprint_(&blueprint), rank_(comm.rank()), engines_(find_engine("").name) {
    if (blueprint.shares_memory())
      node_ = std::make_unique<JoinedNode>(comm, blueprint.machine.node_of_rank);
    for (const bool forward : {true, false}) {
      Program program = make_program(blueprint, forward, rank_);
      for (SweepProgram& sweep : program.sweeps)
        for (Item& item : sweep.items)
          item.feeds = dice.pick<Feeds>({Feeds::other_nodes, Feeds::this_node, Feeds::nobody});
      Binding binding;
      binding.comm = &comm;
      binding.node = node_.get();
      binding.engines = &engines_;
      binding.threads = blueprint.machine.threads(rank_);
      binding.count_limit = count_limit;
      std::vector<Communicator> groups;
      groups.reserve(program.exchanges.size());
      Execution::add_groups(comm, program, groups);
      executions_[side(forward)] =
          std::make_unique<Execution>(std::move(program), binding, std::move(groups));
      if (node_)
        executions_[side(forward)]->set_signals(
            node_->common(executions_[side(forward)]->signal_bytes()));
    }
    make_memory();
  }

  Execution& execution(bool forward) { return *executions_[side(forward)]; }
  NodeGroup& node() { return *node_; }

  /// Begins a run; `index` tells the values of its points from those of other runs.
  void begin(bool forward, int index) {
    fill(forward, index);
    execution(forward).begin(run_array(forward), run_array(!forward));
    execution(forward).mark_agreed(false);
  }
  /// Takes the run further, and looks between tiles as often as `dice` say, until it is complete.
  void finish(bool forward, Dice& dice) {
    Execution& execution = this->execution(forward);
    const std::function<void()> between = [&] {
      if (dice.chance(50)) execution.advance_between_tiles();
    };
    while (!execution.is_complete()) {
      const bool moved = execution.advance();
      if (execution.urgency() != Schedule::none)
        execution.run_item(between);
      else if (!moved && !execution.is_complete() && !execution.wait())
        sched_yield();
    }
  }
  /// Every point is in its place and, where the source has memory of its own, still in the source.
  void check(bool forward, int index) {
    EXPECT_EQ(wrong_points(!forward, index), 0);
    if (blueprint_->problem.in_place) return;
    EXPECT_EQ(wrong_points(forward, index), 0) << "the source";
  }

 private:
  static std::size_t side(bool forward) { return forward ? 0 : 1; }

  void make_memory() {
    const Problem& problem = blueprint_->problem;
    const UserArray arrays[] = {blueprint_->real_array(rank_), blueprint_->spectral_array(rank_)};
    const Decomposition* at[] = {&blueprint_->route.user_input, &blueprint_->route.user_output};
    const View* views[] = {&blueprint_->route.input_view(), &blueprint_->route.output_view()};
    scalars_[0] = problem.input_scalar();
    scalars_[1] = problem.output_scalar();
    std::int64_t bytes[2];
    for (std::size_t s : {0U, 1U}) {
      bytes[s] = arrays[s].field_stride * scalars_[s].bytes();
      patches_[s] = views[s]->patches(at[s]->boxes(rank_), arrays[s].layouts, arrays[s].offsets,
                                      arrays[s].field_stride, 0);
    }
    // MPI is not given null pointers.
    if (problem.in_place) bytes[0] = std::max(bytes[0], bytes[1]);
    for (std::size_t s : {0U, 1U}) arrays_[s] = SharedRegion(std::max<std::int64_t>(64, bytes[s]));
    std::int64_t workspace = 0;
    for (const auto& execution : executions_)
      workspace = std::max(workspace, execution->program().workspace_bytes);
    std::vector<std::byte*> workspaces;
    if (node_) {
      windows_ = node_->window(workspace);
      for (int member = 0; member < node_->size(); ++member)
        workspaces.push_back(windows_.of(member));
    } else {
      workspace_ = Buffer(workspace);
      workspaces.push_back(workspace_.data());
    }
    for (auto& execution : executions_) {
      execution->set_workspaces(workspaces);
    }
  }

  // The side where a direction begins.
  std::byte* array(bool forward) const {
    return arrays_[blueprint_->problem.in_place ? 0 : side(forward)].data();
  }
  // The arrays are in regions, so that nothing needs a stand-in.
  RunArray run_array(bool forward) { return {array(forward), 1, points_, &stand_in_}; }
  // What the run before left there is another. Real where one side is.
  Wide value(const Dims& point, int index) const {
    const auto number = static_cast<long double>(flat(blueprint_->problem.extents, point)) + 1 +
                        5000 * static_cast<long double>(index);
    return {number, blueprint_->problem.kind == Kind::c2c ? -2 * number : 0};
  }
  void fill(bool forward, int index) {
    for (const Patch& patch : patches_[side(forward)])
      for_each_index(patch.box, [&](const Dims& at) {
        put(array(forward), scalars_[side(forward)], patch.at(at), value(at, index));
      });
  }
  int wrong_points(bool forward, int index) const {
    int wrong = 0;
    for (const Patch& patch : patches_[side(forward)])
      for_each_index(patch.box, [&](const Dims& at) {
        if (get(array(forward), scalars_[side(forward)], patch.at(at)) != value(at, index)) ++wrong;
      });
    return wrong;
  }

  const Blueprint* blueprint_;
  int rank_;
  EngineSet engines_;
  std::unique_ptr<JoinedNode> node_;
  NodeGroup::Window windows_;
  Buffer workspace_;
  SharedRegion arrays_[2];
  ArrayPoints points_;
  StandIn stand_in_{1};
  Scalar scalars_[2];
  Patches patches_[2];
  std::unique_ptr<Execution> executions_[2];
};

}  // namespace weft::test
