// cli/pages/machine_drawing: where the nodes, switches and links of a network are drawn.
// Pure. Keeps: every node has a place of its own.
#pragma once

#include <string>
#include <vector>

#include "weft/machine/network.hpp"

namespace weft::cli {

struct DrawnBox {
  double x = 0, y = 0, width = 0, height = 0;
};

/// One direction of a cable, as the path of SVG that shows it.
struct DrawnWire {
  int link;
  std::string path;
};

struct DrawnLabel {
  double x = 0, y = 0;
  std::string text;
};

/// A picture of a network in its own units: nodes have a side of 6 to 14.
struct MachineDrawing {
  double width = 0, height = 0;
  std::vector<DrawnBox> nodes;     ///< by number
  std::vector<DrawnBox> switches;  ///< those that follow the nodes, behind which they are drawn
  std::vector<DrawnWire> wires;    ///< none where they would be too many to be seen
  std::vector<DrawnBox> frames;    ///< around nodes and switches that belong together
  std::vector<DrawnLabel> labels;
  std::string caption;  ///< what is where
};

/// The drawing of a network by its shape: planes of a torus, groups of a dragonfly, levels of a
/// tree, nodes on both sides of the switch of a crossbar; a circle, or beyond 160 nodes and
/// switches a grid, of a graph. Error::invalid for more than 65536 nodes and switches.
MachineDrawing drawing_of(const NetworkShape& shape, const Network& network);

}  // namespace weft::cli
