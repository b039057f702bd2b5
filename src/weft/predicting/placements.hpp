// predicting/placements: nodes for a job, and orders of its ranks on them, by predicted time.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/networks/rank_order.hpp"
#include "weft/options.hpp"
#include "weft/planning/cost.hpp"

namespace weft {

/// A choice of nodes, an order of the ranks on them, and what is predicted for it.
struct PlacedJob {
  std::string nodes;  ///< first free, random, connected or uncrowded
  RankOrder order;
  StrategyCost cost;
  double link_seconds = 0;  ///< see link_seconds of networks/rank_order
};

/// A strategy, what each of its exchanges sends from node to node of the job, and ways to place its
/// ranks, the fastest first.
struct Placements {
  Strategy strategy;
  std::vector<NodeMessages> messages;
  std::vector<PlacedJob> placed;
};

/// Places `ranks` ranks on nodes of `free`, with ranks_per_node of them on each in the order of the
/// list, for the strategy that is predicted to be fastest on the first of these nodes: the named
/// orders on the first nodes and, if there are more than needed, on connected and on uncrowded ones
/// (see node_choice); random nodes;
/// and the best of them after a search of `swaps` swaps (-1: 100 for each node, or as many as take
/// some seconds). Threads are those of `options`, at least 1. The same in every run. Error::invalid
/// for too few free nodes; errors of CostPredictor and of ranked_strategies.
Placements find_placements(const Problem& problem, const MachineModel& machine, int ranks,
                           const std::vector<int>& free, const Options& options,
                           std::int64_t swaps = -1);

}  // namespace weft
