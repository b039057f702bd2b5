// networks/rank_order: on which nodes of a network the ranks of a job are, so that its messages
// meet little. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/grid/factorizations.hpp"
#include "weft/machine/network.hpp"

namespace weft {

/// An order of the nodes of a job: place i is the node of the network for node i of the job.
struct RankOrder {
  std::string name;
  std::vector<int> places;
};

/// The orders that have names, of a job with a node for each of `places`, which are nodes of the
/// network in the order in which they were given:
///   launched   node after node
///   morton     along the Z-order of the process grid of the job's nodes, in which neighbours are
///              mostly near each other
///   hilbert    along its Hilbert curve, in which they always are
///   blocks     the Z-order of the process grid along the Z-order of a torus, so that a tile of the
///              grid is on a block of the torus; only on a torus
/// `grid` has rows and columns of nodes, as many as there are places.
std::vector<RankOrder> named_orders(const NetworkShape& shape, const Dims& grid,
                                    const std::vector<int>& places);

/// Seconds that the busiest links take, of all exchanges one after another.
double link_seconds(const Network& network, const std::vector<NodeMessages>& exchanges,
                    const std::vector<int>& places);

/// How many swaps improved_order() tries in some seconds: so many that it changes the load of a
/// link about 4 * 10^8 times.
std::int64_t affordable_swaps(const Network& network, const std::vector<NodeMessages>& exchanges,
                              const std::vector<int>& places);

/// The order that `swaps` random exchanges of two nodes lead to from `start`, of which those are
/// kept that make the loads of links more even; `start` itself if no link takes less time then. The
/// same in every run.
std::vector<int> improved_order(const Network& network, const std::vector<NodeMessages>& exchanges,
                                const std::vector<int>& start, std::int64_t swaps);

}  // namespace weft
