// weft/ensemble_policy: which ranks transform which instance of an ensemble.
// Floor: choose.
#pragma once

#include <utility>
#include <vector>

namespace weft {

/// Which ranks transform which instance.
struct EnsemblePolicy {
  /// How the ranks are shared out.
  enum Form {
    automatic,  ///< all_ranks, subsets or mixed, whichever is predicted to be fastest
    all_ranks,  ///< every instance is spread over all ranks
    subsets,    ///< the nodes are shared out evenly; several instances share a subset if they must
    mixed,      ///< as many as share the nodes out evenly on subsets, the others on all ranks
    chosen      ///< as `ranks` says
  };
  Form form = automatic;  ///< which of them
  /// Chosen: the ranks of every instance, in any order and overlapping as they may; a plan numbers
  /// them in ascending order.
  std::vector<std::vector<int>> ranks;

  /// Automatic; one of the other forms; or chosen, with the ranks of every instance.
  EnsemblePolicy() = default;
  EnsemblePolicy(Form of) : form(of) {}  // NOLINT: a form alone is a policy
  explicit EnsemblePolicy(std::vector<std::vector<int>> of) : form(chosen), ranks(std::move(of)) {}
};

/// automatic, all, subsets, mixed or chosen.
const char* to_string(EnsemblePolicy::Form form);

}  // namespace weft
