// planning/cost: how long a strategy takes on a machine, stage by stage, in closed form.
// Pure: makes no MPI call.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "weft/machine/machine_model.hpp"
#include "weft/machine/network.hpp"
#include "weft/planning/exchange_movement.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/planning/traffic.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// What a stage of the forward direction takes, in seconds, and why: of the busiest rank, node or
/// link.
struct StageCost {
  std::string name;  ///< as the strategy has it: "fft 2,1", "p2p to 1x8x1"
  bool is_exchange = false;
  double memory = 0;      ///< loads and stores at the rank's share of the bandwidth
  double transforms = 0;  ///< a pass: the transforms in the cache
  double messages = 0;    ///< an exchange: of a rank, for each one that it sends or receives
  double latency = 0;     ///< an exchange: of the longest route
  double links = 0;       ///< an exchange: of the link that takes longest for all that passes it;
                          ///< the sum of this over all rounds if it goes by rounds; at least what
                          ///< the node that sends or receives most takes for messages of this size,
                          ///< beyond `messages`
  int busiest_link = -1;  ///< the number of this link, also where a node takes longer
  /// An exchange: the time in which the busiest rank handles the bytes of its messages and cannot
  /// compute, while they are under way. The exchange takes at least this.
  double handling = 0;
  /// Sent to and received from other nodes by the busiest rank, or by the busiest node if its ranks
  /// send together; and their mean size.
  std::int64_t message_count = 0;
  double message_bytes = 0;

  double seconds() const;
  /// By how much handling is longer than all else that an exchange takes.
  double more_by_handling() const;
};

/// A strategy's stages, and what chunks hide.
struct StrategyCost {
  std::vector<StageCost> stages;
  /// Seconds of exchanges in chunks, and of the passes beside them, that hide each other.
  double hidden = 0;

  double seconds() const;
};

/// What predicted costs need to know of the exchanges: whether what stays in a node is not moved,
/// and the ranks of a node send together; and whether it is cut into chunks. By name.
struct ExchangeKind {
  std::string name;
  bool shares_memory = false;
  bool cuts = true;  ///< whether it is cut into chunks
  /// Whether messages for the first part of the pass after are sent before others, as far as MPI
  /// does not send them eagerly.
  bool keeps_order = false;
};

/// Predicts costs on one machine. A pass takes its walk over memory and then its transforms, of the
/// busiest rank: measured passes take about this sum, though the longer of both would be possible;
/// ranks and threads beyond the cores of a node take turns. An exchange takes what its messages
/// cost the busiest rank, the latency of the longest route, and what the busiest link takes, or the
/// busiest node for messages of their mean size: routes are static, all messages are under way
/// together, and links share their bandwidth fairly (the model by which Chan, Balaji, Gropp and
/// Thakur, 2008, explain process meshes on a torus). Where
/// MPI's alltoallv goes by rounds, each round takes its own busiest link, one after the other. It
/// and its copies remember what they were asked: not for several threads at once.
class CostPredictor {
 public:
  /// For `ranks` ranks with `threads` threads each, rank r on the node
  /// node_of[r / machine.ranks_per_node]; of an empty list, on the first nodes in order. `network`
  /// has the shape of the machine's. Errors: see ranks_of; Error::invalid for nodes that are not
  /// there, or twice.
  CostPredictor(const MachineModel& machine, std::shared_ptr<const Network> network, int ranks,
                int threads = 1, std::vector<int> node_of = {});
  /// The same for a machine whose nodes are connected by a crossbar.
  CostPredictor(const MachineModel& machine, int ranks, int threads = 1,
                std::vector<int> node_of = {});

  /// The same on other nodes of the same network; errors as of the constructor.
  CostPredictor on(std::vector<int> node_of) const;

  /// The ranks as the planner takes them; their speeds are those of the machine.
  const Machine& ranks() const { return ranks_; }
  const MachineModel& machine() const { return machine_; }
  const Network& network() const { return *network_; }
  /// What was asked of the traffic between process grids of these ranks, which do not depend on the
  /// nodes of the network.
  TrafficMemo& traffic() const { return *traffic_; }
  /// The nodes of the network that the ranks are on.
  const std::vector<int>& nodes() const { return node_of_; }
  /// What a rank of a full node loads and stores per second in passes while all ranks do, and how
  /// much MPI moves for it within the node, loading and storing all once more.
  double walked_bytes_per_second() const { return rank_memory(threads_, beyond_caches); }
  double moved_bytes_per_second() const { return rank_memory(1, beyond_caches) / 2; }

  /// How exchanges are looked at.
  enum Depth {
    every_message,  ///< what each message loads on the links of its route
    busiest_rank,  ///< of a sample of the ranks, the one that sends most, as if messages met on the
                   ///< links of its node only: for many candidates, as it takes less time
  };

  /// The cost of the forward direction of `strategy` for `problem` (validated; c2c or r2c). Errors:
  /// see route_of.
  StrategyCost cost(const Strategy& strategy, const Problem& problem,
                    const std::vector<ExchangeKind>& exchanges, Depth depth = every_message) const;

  /// What each exchange of the strategy sends from node to node. Errors: see route_of.
  std::vector<NodeMessages> messages(const Strategy& strategy, const Problem& problem) const;

 private:
  static constexpr double beyond_caches = std::numeric_limits<double>::infinity();

  void take(std::vector<int> node_of);
  StageCost pass_cost(const PassStage& pass, const Problem& problem, const Route& route,
                      std::size_t number, unsigned& done) const;
  StageCost exchange_cost(const ExchangeStage& stage, const Decomposition& from,
                          const Decomposition& to, double point_bytes, bool shares_memory) const;
  StageCost estimated_exchange_cost(const ExchangeStage& stage, const Decomposition& from,
                                    const Decomposition& to, double point_bytes,
                                    bool shares_memory) const;
  RanksOnNetwork ranks_on_network() const;
  int ranks_on(int node) const;
  double rank_memory(int threads, double bytes) const;
  double rank_cores() const;
  double node_seconds(double node_bytes, double message_bytes, bool shares_memory) const;
  bool goes_pairwise(const ExchangeStage& stage) const;

  MachineModel machine_;
  Machine ranks_;
  int threads_;
  std::vector<int> node_of_;
  std::shared_ptr<const Network> network_;
  std::shared_ptr<TrafficMemo> traffic_;
  std::shared_ptr<MovementMemo> movements_;  // on these nodes
  double node_speed_;  // of all links that leave that of these nodes for which it is least
};

}  // namespace weft
