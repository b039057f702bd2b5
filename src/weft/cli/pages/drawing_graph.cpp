// cli/pages/drawing_graph: nodes on a circle around the switches; for larger graphs, both in rows.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/drawing_parts.hpp"

namespace weft::cli {

namespace {

constexpr double graph_pitch = 20, graph_margin = 24;
constexpr int most_on_circles = 160;

void add_circle(int count, double radius, double centre, std::vector<DrawnBox>& boxes) {
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count - std::numbers::pi / 2;
    boxes.push_back({centre + radius * std::cos(angle) - node_side / 2,
                     centre + radius * std::sin(angle) - node_side / 2, node_side, node_side});
  }
}

MachineDrawing draw_circles(const Graph& shape, const Network& network) {
  MachineDrawing drawing;
  constexpr double least_radius = 130, inner = 0.55;  // of the switches, times that of the nodes
  const double around = 2 * std::numbers::pi;
  const double radius = std::max({least_radius, shape.nodes * graph_pitch * 1.3 / around,
                                  shape.switches * graph_pitch * 1.5 / (inner * around)});
  const double centre = radius + graph_margin;
  drawing.width = drawing.height = 2 * centre;
  add_circle(shape.nodes, radius, centre, drawing.nodes);
  add_circle(shape.switches, shape.switches == 1 ? 0 : inner * radius, centre, drawing.switches);
  const auto nodes = static_cast<std::size_t>(shape.nodes);
  const auto at = [&](int vertex) {
    const auto i = static_cast<std::size_t>(vertex);
    return centre_of(i < nodes ? drawing.nodes[i] : drawing.switches[i - nodes]);
  };
  for (std::size_t i = 0; i < network.links().size(); ++i) {
    const Link& link = network.links()[i];
    drawing.wires.push_back({static_cast<int>(i), lane_path(at(link.from), at(link.to),
                                                            node_side * 0.6, node_side * 0.6)});
  }
  drawing.caption = "Nodes are on a circle in their order, node 0 at the top";
  drawing.caption += shape.switches > 0 ? ", around the switches in theirs." : ".";
  return drawing;
}

MachineDrawing draw_grid(const Graph& shape) {
  MachineDrawing drawing;
  const int columns =
      std::max(static_cast<int>(page_width / graph_pitch), columns_for(shape.nodes, 1, 1, 2));
  double y = label_height;
  const auto add_rows = [&](int count, const std::string& label, std::vector<DrawnBox>& boxes) {
    if (count == 0) return;
    drawing.labels.push_back({0, y - 4, label});
    for (int i = 0; i < count; ++i) {
      const DrawnPoint at = in_rows(i, columns, graph_pitch, graph_pitch);
      boxes.push_back({at.x, y + at.y, node_side, node_side});
    }
    y += rows_for(count, columns) * graph_pitch + label_height;
  };
  add_rows(shape.nodes, "nodes", drawing.nodes);
  add_rows(shape.switches, "switches", drawing.switches);
  drawing.width = columns * graph_pitch;
  drawing.height = y - label_height;
  drawing.caption =
      "Nodes and switches are in rows in their order. The cables are too many to be drawn.";
  return drawing;
}

}  // namespace

MachineDrawing draw_graph(const Graph& shape, const Network& network) {
  return shape.nodes + shape.switches <= most_on_circles ? draw_circles(shape, network)
                                                         : draw_grid(shape);
}

}  // namespace weft::cli
