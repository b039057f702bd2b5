// weft/reordered: numbers the ranks of a communicator anew, so that few messages share a link of
// the network.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "weft/options.hpp"
#include "weft/problem.hpp"

namespace weft {

/// What reordered() has made, and what it predicts.
struct ReorderedRanks {
  /// The same processes with other numbers. The caller frees it with MPI_Comm_free.
  MPI_Comm comm = MPI_COMM_NULL;
  std::string order;  ///< what the new order is called, as `weft place` does: launched, morton, ...
  std::string strategy;  ///< for which it was chosen; may be given as Options::strategy
  double seconds_before = 0,
         seconds = 0;  ///< predicted for a transform, in the old order and in the new one
};

/// Returns the processes of `comm` in the order of ranks for which transforms of `problem` are
/// predicted to take the least time. `machine` is a machine file, which rank 0 reads, or the name
/// of a machine that `weft plan` knows (docs/machines.md), and `node` the number of the node of its
/// network that this process runs on, the same for all processes of a node. Each node must have
/// equally many processes, which keep their order; the file's number of ranks of a node does not
/// matter. No process moves: what changes is which part of a field it gets. `swaps` bounds the
/// search (-1: 100 for each node, or as many as take some seconds). Threads are those of `options`,
/// at least 1.
///
/// Collective over `comm`. The same Error on all ranks: Error::invalid for nodes that the network
/// does not have, for uneven numbers of processes and for a machine that is not known; Error::io
/// for a file that cannot be read; Error::mismatch for different arguments; the errors of AnyPlan
/// for the problem and the options.
///
///     auto ranks = weft::reordered(MPI_COMM_WORLD, problem, "torus.json", my_node);
///     weft::Plan plan(ranks.comm, ...);
///
/// It is in the library `weft::machines`, which programs link beside `weft::weft`.
/// Orders of ranks on tori and dragonflies: Chan, Balaji, Gropp and Thakur, 2008; Aseeri et al.,
/// 2021.
ReorderedRanks reordered(MPI_Comm comm, const Problem& problem, const std::string& machine,
                         int node, const Options& options = {}, std::int64_t swaps = -1);

}  // namespace weft
