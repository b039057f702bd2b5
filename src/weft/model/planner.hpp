// model/planner: finds the strategy of least cost over all process grids, by a simple, stated rule.
// Pure: plans for any number of ranks on any machine, without MPI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/model/machine.hpp"
#include "weft/model/placement.hpp"
#include "weft/model/problem.hpp"
#include "weft/model/strategy.hpp"

namespace weft {

/// What an exchange costs and needs, as the planner sees it.
struct ExchangeTraits {
  std::string name;
  /// Whether it moves data straight from and to a user's array; if not, a copy is put before or
  /// after it where no transform can do the packing.
  bool moves_arrays = false;
  /// Whether what stays in a node is not moved at all: the next pass loads it from where the
  /// neighbours stored it. Then the arrays of a node's ranks need no copy either.
  bool shares_memory = false;
};

/// The rule. Everything is counted in bytes of memory walked by the busiest rank: a pass reads and
/// writes the local field, and transforming it along an axis counts as `per_axis` of that; a byte
/// sent costs as much as `per_byte_sent` bytes walked, a message as much as `per_message` bytes
/// walked; a bare copy, which computes nothing on its way, `per_copy` times a pass. Exchanges that
/// share memory send only what leaves the node, one message per pair of nodes; that the ranks of a
/// node meet counts as a message. In place, a result that ends elsewhere than it started needs
/// memory beside the array: `per_extra_field` of a pass.
struct Rule {
  double per_byte_sent = 4;
  double per_message = 65536;
  double per_copy = 1.5;
  double per_axis = 0.5;
  double per_extra_field = 0.1;
};

/// What the user fixes beforehand.
struct Choices {
  std::string engine;
  std::vector<ExchangeTraits> exchanges;  ///< those that apply
  std::string exchange;                   ///< one of them, or empty: the planner's choice
  std::string small_exchange;             ///< its choice below `small_message_bytes`
  std::string large_exchange;             ///< and above
  /// Its choice, if there is one, where nothing leaves the nodes, and between nodes of several
  /// ranks.
  std::string exchange_in_nodes, exchange_between_nodes;
  std::int64_t small_message_bytes = 256;
  Distribution::Form form = Distribution::free;  ///< slab, pencil or brick stages only
  Dims grid;                                     ///< AxB: the process grid of pencil stages
  Placement placement;                           ///< of the pieces; which ranks compute at all
  Rule rule;
};

/// The strategy and what it costs.
struct Planned {
  Strategy strategy;
  double cost = 0;  ///< bytes walked by the busiest rank, as Rule counts
  double sent = 0;  ///< of these, what stands for exchanges
};

/// The strategy of least cost for the forward direction of `problem` (validated; c2c or r2c).
/// Error::invalid if what the user fixed cannot be.
Planned plan_strategy(const Problem& problem, const Machine& machine, const Choices& choices);

}  // namespace weft
