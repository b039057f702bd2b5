// networks/extended_machine: a machine with more nodes than it has, or on another network.
// Keeps: the figures of a node stay what they are.
#pragma once

#include <string>
#include <vector>

#include "weft/machine/machine_model.hpp"

namespace weft {

/// Where the figures of some members of a machine file are from.
struct FigureOrigin {
  std::string source;
  std::vector<std::string> members;
};

/// A machine, and where its figures are from if that is more than one description.
struct ExtendedMachine {
  MachineModel machine;
  std::vector<FigureOrigin> origins = {};
};

/// The nodes of `machine` on the network that `name` is: the name of a machine that weft knows, or
/// a file. A machine brings its network and what its messages cost. A file may have a network
/// alone, as the member `network` of a machine file is; messages then cost what they do on
/// `machine`. Errors: see find_machine.
ExtendedMachine on_network(const MachineModel& machine, const std::string& name);

/// The machine with at least `nodes` nodes: a crossbar, whose switch never limits, grows.
/// Error::invalid for a network of another shape that has fewer, and for a crossbar of one node,
/// whose link is between the ranks of a node.
MachineModel with_nodes(MachineModel machine, int nodes);

}  // namespace weft
