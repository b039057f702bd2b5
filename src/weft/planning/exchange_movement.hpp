// planning/exchange_movement: what an exchange moves, counted from every message of every rank, and
// remembered.
// Pure: makes no MPI call.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/machine/machine.hpp"
#include "weft/machine/network.hpp"
#include "weft/planning/pairwise.hpp"

namespace weft {

/// The ranks of a job on nodes of a network: those of node i are on node_of[i].
struct RanksOnNetwork {
  const Machine& ranks;
  const std::vector<int>& node_sizes;  ///< how many ranks each node of the job has
  const Network& network;
  const std::vector<int>& node_of;

  int ranks_on(int node) const { return node_sizes[static_cast<std::size_t>(node)]; }
};

/// An exchange between two decompositions over these ranks.
struct MovingExchange {
  const Decomposition &from, &to;
  bool shares_memory;        ///< the ranks of a node send, and receive, together
  bool is_pairwise = false;  ///< it goes by rounds (see planning/pairwise)
};

/// What is moved: of the rank, or the node, that has most.
struct Movement {
  double most_near = 0;  ///< points that a rank sends within its node
  /// Messages of a rank to and from other nodes; those of a node where its ranks send together, and
  /// then what falls to each of its ranks.
  double most_messages = 0, most_of_a_rank = 0;
  /// Points that a rank sends to and receives from other nodes; where the ranks of a node send
  /// together, its ranks have equal parts.
  double most_handled = 0;
  double most_of_a_node = 0;        ///< points that a node sends to others, or receives from them
  double mean_points = 0;           ///< of a message between nodes
  LinkLoads::Busiest busiest = {};  ///< its points, and seconds if each were a byte
  double latency = 0;               ///< seconds of the longest route
  PairwiseLoads::Sums rounds = {};  ///< the same of an exchange that goes by rounds
};

Movement movement_of(const RanksOnNetwork& job, const MovingExchange& exchange);

/// What the exchange sends from node to node, in points.
NodeMessages sent_between_nodes(const RanksOnNetwork& job, const MovingExchange& exchange);

/// movement_of for the same ranks on the same nodes: what was asked of two process grids is
/// remembered, as many strategies have the same exchanges. Not for several threads at once.
class MovementMemo {
 public:
  Movement between(const RanksOnNetwork& job, const MovingExchange& exchange);

 private:
  // The extents of the field, the parts of both grids, and how the exchange goes.
  using Key = std::tuple<Extents, Dims, Dims, bool, bool>;
  std::map<Key, Movement> known_;
};

}  // namespace weft
