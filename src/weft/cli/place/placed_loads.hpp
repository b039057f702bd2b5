// cli/place/placed_loads: what a strategy loads on the links and nodes of a network.
// Pure.
#pragma once

#include <vector>

#include "weft/machine/network.hpp"

namespace weft::cli {

/// Bytes of all exchanges of the forward direction together.
struct PlacedLoads {
  std::vector<double> of_link;    ///< by number
  std::vector<double> of_vertex;  ///< that leave a node or switch over its links
  std::vector<double> sent;       ///< by node: that its ranks send to other nodes
  int busiest = -1;               ///< the link that takes longest; -1 if none has a load
  double busiest_seconds = 0;
};

/// For messages between the nodes of a job, of which node i is node places[i] of the network.
PlacedLoads loads_of(const Network& network, const std::vector<NodeMessages>& exchanges,
                     const std::vector<int>& places);

/// One of eight steps of a scale from 0 to `most`; -1 for no load.
int step_of(double load, double most);
constexpr int load_steps = 8;

}  // namespace weft::cli
