// plan/ensemble: many transforms of one kind of work, on all ranks together or each on some of
// them. Keeps: agreement - an error in one instance's plan is an error on all ranks.
#pragma once

#include <memory>
#include <vector>

#include "weft/plan/any_plan.hpp"

namespace weft {

/// Which ranks transform which instance.
struct EnsemblePolicy {
  enum Form {
    automatic,  ///< all_ranks, subsets or mixed, whichever the planner's costs say is fastest
    all_ranks,  ///< every instance is spread over all ranks
    subsets,    ///< the nodes are shared out evenly; several instances share a subset if they must
    mixed,      ///< as many as share the nodes out evenly on subsets, the others on all ranks
    chosen      ///< as `ranks` says
  };
  Form form = automatic;
  /// Chosen: the ranks of every instance, in any order and overlapping as they may; a plan numbers
  /// them in ascending order.
  std::vector<std::vector<int>> ranks;

  EnsemblePolicy() = default;
  EnsemblePolicy(Form of) : form(of) {}  // NOLINT: a form alone is a policy
  explicit EnsemblePolicy(std::vector<std::vector<int>> of) : form(chosen), ranks(std::move(of)) {}
};

/// automatic, all, subsets, mixed or chosen.
const char* to_string(EnsemblePolicy::Form form);
/// Error::invalid for anything else, and for chosen, which a word does not tell.
EnsemblePolicy::Form parse_policy(const std::string& text);

/// Instances that are transformed at the same time, each by a plan of its own. Destroying it is
/// collective.
///
///     auto bands = weft::Ensemble(MPI_COMM_WORLD, {8, weft::c2c({64, 64, 64})});
///     for (int i = 0; i < bands.size(); ++i) tickets.push_back(bands.start_forward(i, u[i],
///     v[i])); for (auto& ticket : tickets) ticket.wait();
class Ensemble {
 public:
  /// Collective over `comm`. The same Error on every rank if one of the plans cannot be, if
  /// `policy` names ranks that are not there, or if ranks pass different arguments
  /// (Error::mismatch).
  ///
  /// Automatic: of the planner's cost (model/planner), the busiest rank's sum over its instances of
  /// bytes walked, or of what is sent, whichever is larger, as one instance computes while messages
  /// of another are under way; and half of what nothing hides of one instance's smaller part.
  Ensemble(MPI_Comm comm, std::vector<Problem> problems, EnsemblePolicy policy = {},
           const Options& options = {});

  int size() const { return static_cast<int>(ranks_.size()); }
  /// What was asked for, or what automatic came to.
  EnsemblePolicy::Form form() const { return form_; }
  /// The ranks of instance `i`, ascending; the same on every rank. Error::invalid if there is none.
  const std::vector<int>& ranks(int i) const;
  bool is_mine(int i) const;
  /// Error::invalid where it is not mine.
  AnyPlan& plan(int i);

  /// Starts instance `i`; see AnyPlan::start_forward. Where it is not mine, nothing happens, the
  /// arrays are not looked at, and the ticket is of nothing.
  Ticket start_forward(int i, const void* from, void* to) {
    return is_mine(i) ? plan(i).start_forward(from, to) : Ticket();
  }
  Ticket start_backward(int i, const void* from, void* to) {
    return is_mine(i) ? plan(i).start_backward(from, to) : Ticket();
  }

 private:
  EnsemblePolicy::Form form_ = EnsemblePolicy::all_ranks;
  std::vector<std::vector<int>> ranks_;
  std::vector<std::unique_ptr<AnyPlan>> plans_;  // none where not mine
};

}  // namespace weft
