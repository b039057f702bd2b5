// cli/pages/drawing_crossbar: the switch as a bar, with half of the nodes above and half below.

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/drawing_parts.hpp"

namespace weft::cli {

namespace {

constexpr double crossbar_pitch = 24, bar_height = 22;

}  // namespace

MachineDrawing draw_crossbar(const Crossbar& shape, const Network& network) {
  MachineDrawing drawing;
  const int above = (shape.nodes + 1) / 2;
  constexpr double aspect = 4;
  const int columns =
      std::max(std::min(above, 32), columns_for(above, crossbar_pitch, crossbar_pitch, aspect));
  const double bar_y = rows_for(above, columns) * crossbar_pitch;
  for (int node = 0; node < shape.nodes; ++node) {
    const bool is_above = node < above;
    const DrawnPoint at =
        in_rows(is_above ? node : node - above, columns, crossbar_pitch, crossbar_pitch);
    constexpr double gap = crossbar_pitch - node_side;
    drawing.nodes.push_back(
        {at.x + gap / 2, at.y + (is_above ? 0 : bar_y + bar_height + gap), node_side, node_side});
  }
  drawing.width = columns * crossbar_pitch;
  drawing.height = bar_y + bar_height + rows_for(shape.nodes - above, columns) * crossbar_pitch;
  drawing.switches.push_back({0, bar_y, drawing.width, bar_height});
  drawing.labels.push_back({8, bar_y + 15, "switch"});
  drawing.caption =
      "The bar is the switch. Of the two lines of each node, one is its link to the switch, the "
      "other the link from it.";
  if (network.links().size() > most_wires) return drawing;
  for (std::size_t i = 0; i < network.links().size(); ++i) {
    const Link& link = network.links()[i];
    const bool goes_up = link.from < shape.nodes;
    const int node = goes_up ? link.from : link.to;
    const DrawnPoint from = centre_of(drawing.nodes[static_cast<std::size_t>(node)]);
    const double reach = (node < above ? 1 : -1) * (node_side / 2 + stub_length);
    const DrawnPoint end{from.x, from.y + reach};
    drawing.wires.push_back({static_cast<int>(i), goes_up
                                                      ? lane_path(from, end, node_side / 2, 0)
                                                      : lane_path(end, from, 0, node_side / 2)});
  }
  return drawing;
}

}  // namespace weft::cli
