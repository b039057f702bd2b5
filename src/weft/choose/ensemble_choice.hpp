// choose/ensemble_choice: on which ranks the instances of an ensemble are, and which way of sharing
// the ranks out is fastest.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/ensemble_policy.hpp"
#include "weft/machine/machine.hpp"
#include "weft/options.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// The ranks of every instance, ascending.
using InstanceRanks = std::vector<std::vector<int>>;

/// How `form`, which is all_ranks, subsets or mixed, shares ranks out to so many instances.
InstanceRanks shared_out(EnsemblePolicy::Form form, std::size_t instances,
                         const std::vector<int>& node_of_rank);

/// `machine` with `ranks` (ascending) of its ranks only, on nodes that are numbered in the order of
/// their lowest rank.
Machine subset_of(const Machine& machine, const std::vector<int>& ranks);

/// The nodes of these ranks, numbered from 0 in the order of their lowest rank.
std::vector<int> nodes_within(const std::vector<int>& ranks, const std::vector<int>& node_of_rank);

/// Which of all_ranks, subsets and mixed ends first, as AnyEnsemble says; of equal ones that which
/// sends least, or the simplest. Subsets consist of the nodes of `node_of_rank`, while the ranks of
/// a node that cannot share memory are on several nodes of `machine`. An instance walks and sends
/// for as long as its passes and its exchanges are predicted to take (planning/cost).
EnsemblePolicy::Form fastest_form(const std::vector<Problem>& problems,
                                  const std::vector<int>& node_of_rank, const Machine& machine,
                                  const Options& options);

}  // namespace weft
