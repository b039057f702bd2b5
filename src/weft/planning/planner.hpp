// planning/planner: finds the strategy that is predicted to be fastest among all process grids.
// Pure: plans for any number of ranks on any machine, without MPI.
#pragma once

#include <string>
#include <vector>

#include "weft/planning/cost.hpp"
#include "weft/planning/placed.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// The properties of an exchange that the planner uses.
struct ExchangeTraits {
  std::string name;
  /// Whether the exchange moves data directly from and to a user's array. If not, the planner adds
  /// a copy before or after it where no transform can pack or unpack the data.
  bool moves_arrays = false;
  /// Whether data that stay in a node are not moved at all: the next pass loads them from where the
  /// other ranks of the node stored them. Then the ranks' arrays need no copy either.
  bool shares_memory = false;
};

/// What the planner may choose from, and what the user has fixed beforehand.
struct Choices {
  std::string engine;
  std::vector<ExchangeTraits> exchanges;  ///< the exchanges that apply
  std::string exchange;                   ///< one of these; empty: the planner chooses
  std::string small_exchange;             ///< chosen for messages below small_message_bytes
  std::string large_exchange;             ///< chosen for larger messages
  /// Chosen, unless empty, where no data leave the nodes, and between nodes of several ranks.
  std::string exchange_in_nodes, exchange_between_nodes;
  Distribution::Form form = Distribution::free;  ///< the form that all stages must have
  Dims grid;                                     ///< AxB: the process grid that stages must have
  Placement placement;                           ///< the ranks that own pieces, and so compute
};

/// A strategy, and what it is predicted to take without chunks.
struct Planned {
  Strategy strategy;
  double seconds = 0;
};

/// The strategy that is predicted to be fastest (CostPredictor::busiest_rank) for the forward
/// direction of `problem` (validated; c2c or r2c), without chunks. Of equal ones, the one is taken
/// that transforms more axes before exchanges. Error::invalid if no strategy satisfies what the
/// user has fixed.
Planned plan_strategy(const Problem& problem, const CostPredictor& predictor,
                      const Choices& choices);

}  // namespace weft
