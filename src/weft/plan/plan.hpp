// plan/plan: the C++ face of a plan - element types known at compile time.
#pragma once

#include <algorithm>
#include <complex>
#include <string>
#include <utility>

#include "weft/plan/any_plan.hpp"
#include "weft/plan/field.hpp"

namespace weft {

/// A problem whose plans take fields of In forward and make fields of Out.
template <class In, class Out>
struct TypedProblem : Problem {};

/// Complex to complex, all axes, double precision unless said otherwise:
///     weft::c2c({256, 256, 256})      weft::c2c<float>({256, 256})
/// Members of Problem can be set afterwards: axes, norm, batch, in_place, input, output.
template <class Real = double>
TypedProblem<std::complex<Real>, std::complex<Real>> c2c(const Extents& extents) {
  TypedProblem<std::complex<Real>, std::complex<Real>> problem;
  problem.extents = extents;
  problem.kind = Kind::c2c;
  problem.precision = scalar_of<Real>::value.precision;
  return problem;
}

/// Real to complex: the last of the axes is halved, n -> n/2+1, as in numpy.fft.rfftn.
template <class Real = double>
TypedProblem<Real, std::complex<Real>> r2c(const Extents& extents) {
  TypedProblem<Real, std::complex<Real>> problem;
  problem.extents = extents;
  problem.kind = Kind::r2c;
  problem.precision = scalar_of<Real>::value.precision;
  return problem;
}

/// Complex to real: forward is numpy.fft.irfftn; `extents` are those of the real field.
template <class Real = double>
TypedProblem<std::complex<Real>, Real> c2r(const Extents& extents) {
  TypedProblem<std::complex<Real>, Real> problem;
  problem.extents = extents;
  problem.kind = Kind::c2r;
  problem.precision = scalar_of<Real>::value.precision;
  return problem;
}

/// A distributed transform, ready to run again and again.
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
  Field<In> make_input() const { return make<In>(plan_.input()); }
  Field<Out> make_output() const { return make<Out>(plan_.output()); }
  /// The output of a plan in place: the memory of `input`, seen as what forward makes of it.
  Field<Out> output_in(const Field<In>& input) const {
    return {plan_.comm(), plan_.output(), input.memory()};
  }

  /// Transforms `from` into `to`; `from` is left as it is, unless the plan is in place. Collective.
  /// Error::invalid if a field was made by a plan of another size.
  void forward(const Field<In>& from, Field<Out>& to) {
    require_sizes(from.size(), to.size());
    plan_.forward(from.data(), to.data());
  }
  void backward(const Field<Out>& from, Field<In>& to) {
    require_sizes(to.size(), from.size());
    plan_.backward(from.data(), to.data());
  }
  /// Starts them; see AnyPlan::start_forward, and Ticket.
  Ticket start_forward(const Field<In>& from, Field<Out>& to) {
    require_sizes(from.size(), to.size());
    return plan_.start_forward(from.data(), to.data());
  }
  Ticket start_backward(const Field<Out>& from, Field<In>& to) {
    require_sizes(to.size(), from.size());
    return plan_.start_backward(from.data(), to.data());
  }
  /// The same on raw memory, laid out as input() and output() say.
  void forward(const In* from, Out* to) { plan_.forward(from, to); }
  void backward(const Out* from, In* to) { plan_.backward(from, to); }
  Ticket start_forward(const In* from, Out* to) { return plan_.start_forward(from, to); }
  Ticket start_backward(const Out* from, In* to) { return plan_.start_backward(from, to); }

  /// This rank's boxes and their layout.
  const Share& input() const { return plan_.input(); }
  const Share& output() const { return plan_.output(); }

  const Strategy& strategy() const { return plan_.strategy(); }
  std::string describe() const { return plan_.describe(); }
  std::int64_t workspace_bytes() const { return plan_.workspace_bytes(); }
  /// Stage by stage times of the last run; see AnyPlan.
  const AnyPlan& any() const { return plan_; }

 private:
  void require_sizes(std::int64_t in, std::int64_t out) const {
    if (in == input().elements && out == output().elements) return;
    throw Error(Error::invalid,
                fmt::format("fields of {} and {} elements, where the plan takes {} and makes {}",
                            in, out, input().elements, output().elements),
                "use the fields that this plan's make_input and make_output make");
  }

  template <class T>
  Field<T> make(const Share& share) const {
    // An empty share has an address of its own, too: it is how in place is told from out of place.
    const std::int64_t elements = std::max<std::int64_t>(1, share.elements);
    return {plan_.comm(), share, plan_.allocate(elements * static_cast<std::int64_t>(sizeof(T)))};
  }

  AnyPlan plan_;
};

}  // namespace weft
