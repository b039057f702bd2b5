// weft/any_ensemble: many transforms of one kind of work, on all ranks together or each on some of
// them, for element types known at run time. weft::Ensemble is the same with types known at compile
// time.
// Floor: plan.
// Keeps: agreement - an error in one instance's plan is an error on all ranks.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>
#include <vector>

#include "weft/any_plan.hpp"
#include "weft/ensemble_policy.hpp"

namespace weft {

/// Instances that are transformed at the same time, each by a plan of its own. Making and
/// destroying it is collective; other functions are not unless they say so.
class AnyEnsemble {
 public:
  /// Plans every instance. Collective over `comm`. The same Error on every rank: those of AnyPlan
  /// for one of the plans; Error::invalid for no problems, and if `policy` names ranks that are not
  /// there; Error::mismatch if ranks pass different arguments.
  ///
  /// Automatic compares predicted times. For one rank, let w and s be the sums over its instances
  /// of the seconds that their passes and their exchanges are predicted to take, e the largest
  /// min(w, s) of one instance, and l the largest w - s. The rank takes max(w, s) + max(0, e - l /
  /// 2) / 2: one instance computes while messages of another are under way, but at both ends
  /// nothing hides about half of the smaller part of one instance. The busiest rank counts. Where
  /// the speeds of the machine were not measured (Effort::estimate), predictions take nominal ones.
  /// The lowest rank decides for all.
  AnyEnsemble(MPI_Comm comm, std::vector<Problem> problems, EnsemblePolicy policy = {},
              const Options& options = {});

  /// Number of instances.
  int size() const { return static_cast<int>(ranks_.size()); }
  /// The policy that was asked for, or the one that automatic chose.
  EnsemblePolicy::Form form() const { return form_; }
  /// The ranks of instance `i`, ascending; the same on every rank. Error::invalid if there is none.
  const std::vector<int>& ranks(int i) const;
  /// Whether this rank is one of them. Error::invalid if there is no instance `i`.
  bool is_mine(int i) const;
  /// The plan of instance `i`. Error::invalid if this rank is not one of its ranks.
  AnyPlan& plan(int i);
  const AnyPlan& plan(int i) const;

  /// Starts instance `i`, forward or back. Collective over its ranks, with the errors of
  /// AnyPlan::start_forward, and Error::invalid if there is no instance `i`. If this rank is not
  /// one of its ranks, nothing happens, the arrays are not looked at, and the ticket belongs to no
  /// transform.
  Ticket start_forward(int i, const AnySource& from, const AnyTarget& to, double scale = 1) {
    return is_mine(i) ? plan(i).start_forward(from, to, scale) : Ticket();
  }
  Ticket start_backward(int i, const AnySource& from, const AnyTarget& to, double scale = 1) {
    return is_mine(i) ? plan(i).start_backward(from, to, scale) : Ticket();
  }

 private:
  EnsemblePolicy::Form form_ = EnsemblePolicy::all_ranks;
  std::vector<std::vector<int>> ranks_;
  std::vector<std::unique_ptr<AnyPlan>> plans_;  // none where not mine
};

}  // namespace weft
