// weft/plan: a distributed transform of element types known at compile time.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "weft/any_plan.hpp"
#include "weft/field.hpp"

namespace weft {

/// A distributed transform, ready to run again and again. Making and destroying it is collective;
/// see AnyPlan.
///
///     auto plan = weft::Plan(MPI_COMM_WORLD, weft::r2c({512, 512, 512}));
///     auto u = plan.make_input();
///     for (auto [at, x] : u.points()) x = std::sin(2 * std::numbers::pi * at[0] / 512);
///     auto v = plan.make_output();
///     plan.forward(u, v);
template <class In, class Out>
class Plan {
 public:
  /// Collective over `comm`, which is duplicated; MPI must be initialised, and stays the
  /// caller's. The same Error on every rank if the problem cannot be, or if ranks disagree.
  Plan(MPI_Comm comm, const TypedProblem<In, Out>& problem, const Options& options = {})
      : plan_(comm, problem, options) {}

  /// Zeroed fields for this rank's shares; not collective.
  Field<In> make_input() const { return make_field<In>(plan_, plan_.input()); }
  Field<Out> make_output() const { return make_field<Out>(plan_, plan_.output()); }
  /// The output of a plan in place: the memory of `input`, seen as what forward makes of it.
  Field<Out> output_in(const Field<In>& input) const {
    return {plan_, plan_.output(), input.memory()};
  }

  /// Transforms `from` into `to`, forward or back, and returns when that is done. `from` is left as
  /// it is, unless the plan is in place. Collective. Error::invalid if a field was made by a plan
  /// of another size; other errors are those of AnyPlan::start_forward.
  void forward(const Field<In>& from, Field<Out>& to) {
    plan_.check_sizes(from.size(), to.size());
    plan_.forward(from.data(), to.data());
  }
  void backward(const Field<Out>& from, Field<In>& to) {
    plan_.check_sizes(to.size(), from.size());
    plan_.backward(from.data(), to.data());
  }
  /// Starts the same, and returns at once; see AnyPlan::start_forward, and Ticket.
  Ticket start_forward(const Field<In>& from, Field<Out>& to) {
    plan_.check_sizes(from.size(), to.size());
    return plan_.start_forward(from.data(), to.data());
  }
  Ticket start_backward(const Field<Out>& from, Field<In>& to) {
    plan_.check_sizes(to.size(), from.size());
    return plan_.start_backward(from.data(), to.data());
  }
  /// The same on raw memory, laid out as input() and output() say.
  void forward(const In* from, Out* to) { plan_.forward(from, to); }
  void backward(const Out* from, In* to) { plan_.backward(from, to); }
  Ticket start_forward(const In* from, Out* to) { return plan_.start_forward(from, to); }
  Ticket start_backward(const Out* from, In* to) { return plan_.start_backward(from, to); }

  /// What forward takes, and what it makes, on this rank: boxes and their layout.
  const Share& input() const { return plan_.input(); }
  const Share& output() const { return plan_.output(); }

  /// This process's rank among the plan's, and their communicator, which stays the plan's.
  int rank() const { return plan_.rank(); }
  MPI_Comm comm() const { return plan_.comm(); }
  /// The strategy in a line, as Options::strategy takes it. The same on every rank.
  StrategyText strategy() const { return plan_.strategy(); }
  /// The strategy, where the data lie stage by stage, and what it costs. The same on every rank.
  std::string describe() const { return plan_.describe(); }
  /// Bytes this rank holds beyond the user's arrays; see AnyPlan.
  std::int64_t workspace_bytes() const { return plan_.workspace_bytes(); }
  /// The same plan without its element types: the problem, the times of its stages, threads.
  const AnyPlan& any() const { return plan_; }

 private:
  AnyPlan plan_;
};

}  // namespace weft
