// model/exchange_movement: what an exchange moves, from every message of every rank.
// Pure.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/model/machine.hpp"
#include "weft/model/network.hpp"
#include "weft/model/pairwise.hpp"

namespace weft {

/// The ranks of a job, full nodes first, on nodes of a network: those of node i are on
/// node_of[i].
struct RanksOnNetwork {
  const Machine& ranks;
  int ranks_per_node;
  const Network& network;
  const std::vector<int>& node_of;

  /// How many ranks a node of the job has.
  int ranks_on(int node) const {
    return std::min(ranks_per_node, ranks.ranks - node * ranks_per_node);
  }
};

/// An exchange between two decompositions over these ranks.
struct MovingExchange {
  const Decomposition &from, &to;
  bool shares_memory;        ///< the ranks of a node send, and receive, together
  bool is_pairwise = false;  ///< it goes by rounds (see model/pairwise)
};

/// What is moved, in points. `most` is that of the rank, or node, that has most.
struct Movement {
  double most_near = 0;       ///< that a rank sends within its node
  double most_messages = 0;   ///< of a rank, or of a node if it shares memory, to and from others
  double most_of_a_rank = 0;  ///< of these, where the ranks of a node share them equally
  double most_handled = 0;    ///< points that a rank sends to and receives from other nodes
  double most_of_a_node = 0;  ///< points that a node sends to others, or receives from them
  double mean_points = 0;     ///< of a message between nodes
  LinkLoads::Busiest busiest = {};
  double latency = 0;               ///< of the longest route
  PairwiseLoads::Sums rounds = {};  ///< of an exchange that goes by rounds
};

Movement movement_of(const RanksOnNetwork& of, const MovingExchange& exchange);

/// What the exchange sends from node to node, in points.
NodeMessages sent_between_nodes(const RanksOnNetwork& of, const MovingExchange& exchange);

/// movement_of for the same ranks on the same nodes: what was asked of two process grids is
/// remembered, as many strategies have the same exchanges.
class MovementMemo {
 public:
  Movement between(const RanksOnNetwork& of, const MovingExchange& exchange);

 private:
  // Of the field, parts of both grids, and how the exchange goes.
  using Key = std::tuple<Extents, Dims, Dims, bool, bool>;
  std::map<Key, Movement> known_;
};

}  // namespace weft
