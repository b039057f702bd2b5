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
/// other functions are not unless they say so. See AnyPlan.
///
///     auto plan = weft::Plan(MPI_COMM_WORLD, weft::r2c({512, 512, 512}));
///     auto u = plan.make_input();
///     for (auto [at, x] : u.points()) x = std::sin(2 * std::numbers::pi * at[0] / 512);
///     auto v = plan.make_output();
///     plan.forward(u, v);
template <class In, class Out>
class Plan {
 public:
  /// Collective over `comm`, which is duplicated. The caller has initialised MPI, and finalises it.
  /// Errors, the same on every rank, are those of AnyPlan.
  Plan(MPI_Comm comm, const TypedProblem<In, Out>& problem, const Options& options = {})
      : plan_(comm, problem, options) {
    require_types(problem, scalar_of<In>::value, scalar_of<Out>::value);
  }
  /// For this process alone, with all of its threads and without MPI, which need not be
  /// initialised. Not collective. Errors are those of AnyPlan.
  explicit Plan(const TypedProblem<In, Out>& problem, const Options& options = {})
      : plan_(problem, options) {
    require_types(problem, scalar_of<In>::value, scalar_of<Out>::value);
  }

  /// Zeroed fields of input().elements and output().elements elements, for this rank's shares. Not
  /// collective. Error::system if there is not enough memory.
  Field<In> make_input() const { return make_field<In>(plan_, plan_.input()); }
  Field<Out> make_output() const { return make_field<Out>(plan_, plan_.output()); }
  /// The same in memory of this kind, for a plan on a device: see AnyPlan::allocate.
  Field<In> make_input(Memory kind) const { return make_field<In>(plan_, plan_.input(), kind); }
  Field<Out> make_output(Memory kind) const { return make_field<Out>(plan_, plan_.output(), kind); }
  /// For a plan in place: the memory of `input`, seen as what forward makes of it. Such a plan
  /// takes two arrays, of make_input and make_output, as well. Error::invalid if the plan is not in
  /// place. Not collective.
  ///
  ///     auto v = plan.output_in(u);   // once
  ///     plan.forward(u, v);           // u holds the field before, v the spectrum after
  ///     plan.backward(v, u);
  Field<Out> output_in(Field<In>& input) const { return make_output_in<Out>(plan_, input); }

  /// Transforms `from` into `to`, forward or back, and returns when that is done. Each is a field,
  /// a std::vector, a std::span or a pointer; arrays are laid out as input() and output() say.
  /// `from` is left as it is, unless `to` is the same memory, which a plan in place allows. All
  /// results are multiplied by `scale` as they are stored. Collective. Error::invalid if a vector
  /// or a span has fewer elements than this rank needs, or a field does not hold what the plan
  /// takes or makes: the same boxes, laid out alike. These and other errors come as those of
  /// AnyPlan::start_forward.
  ///
  ///     std::vector<double> mine(plan.input().elements);
  ///     for (auto [at, x] : weft::Points(mine.data(), plan.input())) x = f(at[0], at[1], at[2]);
  ///     plan.forward(mine, v);
  void forward(const Source<In>& from, const Target<Out>& to, double scale = 1) {
    plan_.start_forward(from, to, scale).wait();
  }
  void backward(const Source<Out>& from, const Target<In>& to, double scale = 1) {
    plan_.start_backward(from, to, scale).wait();
  }
  /// Starts the same, and returns before anything is computed. Collective; see
  /// AnyPlan::start_forward, and Ticket.
  Ticket start_forward(const Source<In>& from, const Target<Out>& to, double scale = 1) {
    return plan_.start_forward(from, to, scale);
  }
  Ticket start_backward(const Source<Out>& from, const Target<In>& to, double scale = 1) {
    return plan_.start_backward(from, to, scale);
  }

  /// What forward takes, and what it makes, on this rank: boxes and their layout.
  const Share& input() const { return plan_.input(); }
  const Share& output() const { return plan_.output(); }
  /// The one box of this rank on each side; see AnyPlan.
  Box local_input() const { return plan_.local_input(); }
  Box local_output() const { return plan_.local_output(); }

  /// The wavenumbers of a transformed axis of the spectrum; see AnyPlan.
  Wavenumbers wavenumbers(int axis) const { return plan_.wavenumbers(axis); }

  /// This process's rank among the plan's, and their communicator, which stays the plan's;
  /// MPI_COMM_NULL if the plan is of this process alone.
  int rank() const { return plan_.rank(); }
  MPI_Comm comm() const { return plan_.comm(); }
  /// The strategy in a line, as Options::strategy takes it. The same on every rank.
  StrategyText strategy() const { return plan_.strategy(); }
  /// The plan in a few words, or in all; see AnyPlan. The same on every rank.
  std::string describe(Detail detail = Detail::summary) const { return plan_.describe(detail); }
  /// Bytes this rank holds beyond the user's arrays; see AnyPlan.
  std::int64_t workspace_bytes() const { return plan_.workspace_bytes(); }
  /// The plan as values, with what its last runs did on this rank; see AnyPlan. Not collective.
  PlanReport report() const { return plan_.report(); }
  /// The same plan without its element types, which also tells its problem, memory and threads.
  const AnyPlan& any() const { return plan_; }

 private:
  AnyPlan plan_;
};

}  // namespace weft
