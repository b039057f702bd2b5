// planning/cost: how long a strategy takes on a machine, stage by stage, in closed form.
// Pure: makes no MPI call.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/machine/network.hpp"
#include "weft/planning/exchange_movement.hpp"
#include "weft/planning/stage_cost.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/planning/traffic.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

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

/// Predicts costs on one machine. Ranks and threads beyond the cores of a node take turns. An
/// exchange takes what its messages cost the busiest rank, the latency of the longest route, and
/// what the busiest link takes, or the busiest node for messages of their mean size: routes are
/// static, all messages are under way together, and links share their bandwidth fairly (the model
/// by which Chan, Balaji, Gropp and Thakur, 2008, explain process meshes on a torus). Where MPI's
/// alltoallv goes by rounds, each round takes its own busiest link, one after the other. It and its
/// copies remember what they were asked: not for several threads at once.
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

  /// For the ranks of a plan, whatever nodes they are on, on a machine like model_of(ranks), or on
  /// `model`, which is such a machine with other speeds.
  static CostPredictor here(const Machine& ranks) { return here(ranks, model_of(ranks)); }
  static CostPredictor here(const Machine& ranks, const MachineModel& model);

  /// The same on other nodes of the same network; errors as of the constructor.
  CostPredictor on(std::vector<int> node_of) const;

  /// The ranks as the planner takes them. If a machine is only described, their speeds are its own.
  const Machine& ranks() const { return setting_->ranks; }
  const MachineModel& machine() const { return setting_->machine; }
  const Network& network() const { return *setting_->network; }
  /// What falls to each rank of a full node.
  const RankSpeeds& speeds() const { return setting_->speeds; }
  /// What was asked of the traffic between process grids of these ranks, which do not depend on the
  /// nodes of the network.
  TrafficMemo& traffic() const { return *traffic_; }
  /// The nodes of the network that the ranks are on.
  const std::vector<int>& nodes() const { return setting_->node_of; }

  /// How exchanges are looked at.
  enum Depth {
    every_message,  ///< what each message loads on the links of its route
    busiest_rank,  ///< what the rank sends that sends most in a sample of the ranks, as if messages
                   ///< met on the links of its node only: quick enough for many candidates
  };

  /// The cost of the forward direction of `strategy` for `problem` (validated; c2c or r2c). Errors:
  /// see route_of.
  StrategyCost cost(const Strategy& strategy, const Problem& problem,
                    const std::vector<ExchangeKind>& exchanges, Depth depth = every_message) const;

  /// What each exchange of the strategy sends from node to node. Errors: see route_of.
  std::vector<NodeMessages> messages(const Strategy& strategy, const Problem& problem) const;

 private:
  // The ranks on nodes of a network.
  struct Setting {
    Setting(const MachineModel& machine_, Machine ranks_, std::vector<int> nodes,
            std::shared_ptr<const Network> network_);
    RanksOnNetwork on_network() const { return {ranks, node_sizes, *network, node_of}; }

    MachineModel machine;
    Machine ranks;
    std::shared_ptr<const Network> network;
    std::vector<int> node_of, node_sizes;
    double node_bytes_per_second;  // of all links that leave that node for which it is least
    RankSpeeds speeds;
    mutable MovementMemo movements;
  };

  explicit CostPredictor(std::shared_ptr<Setting> setting);
  StageCost exchange_cost(const ExchangeStage& stage, const Decomposition& from,
                          const Decomposition& to, const ExchangeForm& form) const;

  std::shared_ptr<const Setting> setting_;
  std::shared_ptr<TrafficMemo> traffic_;
};

}  // namespace weft
