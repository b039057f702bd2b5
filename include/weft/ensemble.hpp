// weft/ensemble: many transforms of one kind of work, of element types known at compile time.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "weft/any_ensemble.hpp"
#include "weft/field.hpp"

namespace weft {

/// Instances that are transformed at the same time, each by a plan of its own, on all ranks or on
/// some of them. Making and destroying it is collective. A rank may have no part in an instance:
/// its fields there have no points, and starting it does nothing.
///
///     auto bands = weft::Ensemble(MPI_COMM_WORLD, 8, weft::c2c({64, 64, 64}));
///     for (int i = 0; i < bands.size(); ++i) {
///       u.push_back(bands.make_input(i));
///       v.push_back(bands.make_output(i));
///     }
///     for (int i = 0; i < bands.size(); ++i)
///       tickets.push_back(bands.start_forward(i, u[i], v[i]));
///     for (auto& ticket : tickets) ticket.wait();
template <class In, class Out>
class Ensemble {
 public:
  /// Plans an instance of every problem, or `count` instances of one. Collective over `comm`;
  /// errors are those of AnyEnsemble.
  Ensemble(MPI_Comm comm, const std::vector<TypedProblem<In, Out>>& problems,
           EnsemblePolicy policy = {}, const Options& options = {})
      : ensemble_(comm, std::vector<Problem>(problems.begin(), problems.end()), std::move(policy),
                  options) {
    for (const auto& problem : problems)
      require_types(problem, scalar_of<In>::value, scalar_of<Out>::value);
  }
  Ensemble(MPI_Comm comm, int count, const TypedProblem<In, Out>& problem,
           EnsemblePolicy policy = {}, const Options& options = {})
      : ensemble_(comm,
                  std::vector<Problem>(static_cast<std::size_t>(count > 0 ? count : 0), problem),
                  std::move(policy), options) {
    require_types(problem, scalar_of<In>::value, scalar_of<Out>::value);
  }

  /// Number of instances.
  int size() const { return ensemble_.size(); }
  /// The policy that was asked for, or the one that automatic chose.
  EnsemblePolicy::Form form() const { return ensemble_.form(); }
  /// The ranks of instance `i`, ascending; the same on every rank. Error::invalid if there is none.
  const std::vector<int>& ranks(int i) const { return ensemble_.ranks(i); }
  /// Whether this rank is one of them. Error::invalid if there is no instance `i`.
  bool is_mine(int i) const { return ensemble_.is_mine(i); }

  /// Zeroed fields for this rank's shares of instance `i`, without points if this rank is not one
  /// of its ranks. Not collective. Error::invalid if there is no instance `i`, and Error::system if
  /// there is not enough memory.
  Field<In> make_input(int i) const {
    if (!is_mine(i)) return {};
    return make_field<In>(ensemble_.plan(i), ensemble_.plan(i).input());
  }
  Field<Out> make_output(int i) const {
    if (!is_mine(i)) return {};
    return make_field<Out>(ensemble_.plan(i), ensemble_.plan(i).output());
  }
  /// The output of an instance in place: the memory of `input`, seen as what forward makes of it.
  /// Not collective. Errors as of Plan::output_in.
  Field<Out> output_in(int i, Field<In>& input) const {
    if (!is_mine(i)) return {};
    return make_output_in<Out>(ensemble_.plan(i), input);
  }

  /// Starts instance `i`, forward or back; collective, with the errors of
  /// AnyEnsemble::start_forward. On a rank that has no part in it, nothing happens, and the ticket
  /// is of no transform.
  Ticket start_forward(int i, const Source<In>& from, const Target<Out>& to, double scale = 1) {
    return ensemble_.start_forward(i, from, to, scale);
  }
  Ticket start_backward(int i, const Source<Out>& from, const Target<In>& to, double scale = 1) {
    return ensemble_.start_backward(i, from, to, scale);
  }

  /// The same ensemble without its element types, which also gives the plans of the instances.
  const AnyEnsemble& any() const { return ensemble_; }

 private:
  AnyEnsemble ensemble_;
};

}  // namespace weft
