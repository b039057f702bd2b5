// planning/planner: finds the strategy of least cost among all process grids, by a simple cost
// model. Pure: plans for any number of ranks on any machine, without MPI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/machine/machine.hpp"
#include "weft/planning/placed.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/planning/traffic.hpp"
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

/// What a strategy costs, in bytes of memory that the busiest rank walks over. A pass costs two
/// walks over the rank's points, one to read and one to write them; the other costs are weights of
/// such bytes. The weights are choices; docs/performance.md compares some of their consequences
/// with measurements. Exchanges that share memory send only what leaves the node, in one message
/// for each pair of nodes, and synchronizing the ranks of a node costs as much as one message.
struct CostModel {
  /// Bytes walked for each byte that is sent to or received from another node. A choice, where
  /// speeds were not measured: on links of 1 Gbit/s a byte takes as long as 35 bytes walked.
  double per_byte_sent = 4;
  /// The same within a node, where MPI copies it twice.
  double per_byte_in_node = 4;
  /// Bytes walked for each message. A choice: 64 KiB take 6.6 us at 10 GB/s, the latency of a
  /// message and its handling. A larger weight prefers exchanges with fewer partners.
  double per_message = 65536;
  /// Cost of a copy, which transforms nothing, relative to a pass. A choice that is not backed by a
  /// measurement: an exchange with a copy and an exchange with a third pass took equally long.
  double per_copy = 1.5;
  /// Cost of a transform along one axis relative to a pass, charged only for the points that the
  /// busiest rank has beyond an even share. A choice: without it, one rank would transform a small
  /// field for all. To the same points, a tile that exceeds the cache of a core costs a pass more.
  double per_axis = 0.5;
  /// Cost of a result that in-place transforms leave on other ranks than the input, which takes
  /// memory beside the array, relative to a pass. A choice: it decides between almost equal costs.
  double per_extra_field = 0.1;
};

/// The weights that the machine's speeds lead to: a byte and a message cost what a rank walks over
/// in the time that its part of the node's link takes for them. Those above where nothing was
/// measured.
CostModel costs_on(const Machine& machine);

/// What the planner may choose from, and what the user has fixed beforehand.
struct Choices {
  std::string engine;
  std::vector<ExchangeTraits> exchanges;  ///< the exchanges that apply
  std::string exchange;                   ///< one of these; empty: the planner chooses
  std::string small_exchange;             ///< chosen for messages below `small_message_bytes`
  std::string large_exchange;             ///< chosen for larger messages
  /// Chosen, unless empty, where no data leave the nodes, and between nodes of several ranks.
  std::string exchange_in_nodes, exchange_between_nodes;
  /// Mean message size below which messages are padded to equal size for MPI_Alltoall:
  /// MPI_Alltoallv takes twice as long there (Subramoni, ISC'15).
  std::int64_t small_message_bytes = 256;
  Distribution::Form form = Distribution::free;  ///< the form that all stages must have
  Dims grid;                                     ///< AxB: the process grid that stages must have
  Placement placement;                           ///< the ranks that own pieces, and so compute
  CostModel costs;
  TrafficMemo* memo = nullptr;  ///< of this machine, where several searches share one
};

/// A strategy and its cost.
struct Planned {
  Strategy strategy;
  double cost = 0;  ///< bytes walked by the busiest rank, as CostModel counts them
  double sent = 0;  ///< the part of the cost that exchanges cause
};

/// The strategy of least cost for the forward direction of `problem` (validated; c2c or r2c).
/// Error::invalid if no strategy satisfies what the user has fixed.
Planned plan_strategy(const Problem& problem, const Machine& machine, const Choices& choices);

}  // namespace weft
