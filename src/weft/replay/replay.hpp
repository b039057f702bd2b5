// replay/replay: how long the programs of all ranks take on a machine, by discrete events.
// Pure: nothing is transformed and nothing is sent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/machine/machine_model.hpp"
#include "weft/machine/network.hpp"
#include "weft/proof/check.hpp"

namespace weft {

/// How fast the ranks of a replay are, in seconds.
struct ReplaySpeeds {
  /// By stage of the strategy: of a pass, for each point that a rank loads.
  std::vector<double> pass_seconds_per_point;
  double copy_seconds_per_byte = 0;  ///< of passes that transform nothing, loaded or stored
  double message_seconds = 0;  ///< that a message to or from another node takes of its rank's time
  /// The computing time of the rank that each byte of such a message costs.
  double message_seconds_per_byte = 0;
  std::vector<MessageSpeed> message_speeds;  ///< of nodes; see MachineModel
  double synchronization_seconds = 0;        ///< until a signal is seen by the ranks of its node
  double near_bytes_per_second = 1;  ///< at which MPI moves what stays in a node, for each rank
  std::int64_t eager_bytes = 0;      ///< smaller messages leave before the receiver asks for them
  bool pairwise = false;             ///< an alltoallv goes by rounds (planning/pairwise)
};

/// What a step took, from its first to its last event on any rank.
struct ReplayedStep {
  std::string name;
  double begin = 0, end = 0;
  /// A sweep: the time that the busiest rank computes. An exchange: the sum over its transfers of
  /// the time from their start to their end, divided by the number of ranks.
  double busy = 0;
};

/// A run of all ranks.
struct Replay {
  double seconds = 0;  ///< until the last rank is done
  std::vector<ReplayedStep> steps;
  double waiting = 0;  ///< the part of this time in which ranks do not compute, mean of all ranks
  std::int64_t transfers = 0;
};

/// Runs the forward programs of `set`, all of whose ranks begin at the same time. Ranks do what the
/// executor of weft does: of all ready items the most urgent one, one after the other; sends as a
/// SendWindow says; messages of at least `eager_bytes` begin when both sides have posted them,
/// smaller ones when they are sent. Data between nodes are flows over the static route of
/// `network`, on which node i of the set is node_of[i]; they begin after the latency of the route
/// and share the bandwidth of its links, and of their nodes for messages of this size, fairly.
/// Between calls of MPI messages proceed. Handling a message takes time of its rank, also while it
/// computes, and so do its bytes, while they are under way. All parts of a collective begin at
/// once; of one that goes by rounds, each message, whatever its size, when both of its ranks have
/// ended the round before.
Replay replay(const ProgramSet& set, const ReplaySpeeds& speeds, const Network& network,
              const std::vector<int>& node_of);

}  // namespace weft
