// replay/transfer_routes: the links that each transfer of a replay passes: those of the network,
// and others that stand for what the ends of messages do. Pure.
#pragma once

#include <map>
#include <vector>

#include "weft/machine/network.hpp"
#include "weft/replay/replay.hpp"
#include "weft/replay/transfers.hpp"

namespace weft {

/// Links are numbered: first those of the network; then one into each rank, for what MPI moves
/// within nodes; then, for each exchange, one out of each node and one into it, with the speed that
/// a node has for messages between nodes of their mean size (if the machine tells it). Exchanges
/// that overlap do not share these links, but those of the network.
class TransferRoutes {
 public:
  /// For these transfers between the ranks of `set`, whose node i is node_of[i] of the network. The
  /// first four must outlive it.
  TransferRoutes(const ProgramSet& set, const ReplaySpeeds& speeds, const Network& network,
                 const std::vector<int>& node_of, const std::vector<DataTransfer>& transfers);

  /// The speeds of all links.
  std::vector<double> bytes_per_second() const;
  /// Whether it is between nodes.
  bool is_far(const DataTransfer& transfer) const {
    return node(transfer.from) != node(transfer.to);
  }
  /// The links of a transfer, until the next call.
  const std::vector<int>& route(const DataTransfer& transfer);
  /// The sum of the latencies of the links that the transfer passes.
  double latency(const DataTransfer& transfer);

 private:
  struct Ends {
    int number = 0;  // of the exchange
    double bytes = 0, messages = 0;
  };

  int node(int rank) const { return set_.node_of_rank[static_cast<std::size_t>(rank)]; }
  int step(const DataTransfer& transfer) const {
    return set_.forward[static_cast<std::size_t>(transfer.from)]
        .tasks[static_cast<std::size_t>(transfer.from_task)]
        .step;
  }

  const ProgramSet& set_;
  const ReplaySpeeds& speeds_;
  const Network& network_;
  const std::vector<int>& node_of_;
  int nodes_;
  std::map<int, Ends> ends_;  // by step
  std::vector<int> route_;
};

}  // namespace weft
