// cli/pages/machine_drawing: drawings by shape, and what they share.

#include "weft/cli/pages/machine_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/drawing_parts.hpp"

namespace weft::cli {

namespace {

// A drawing of so many vertices is a few megabytes of SVG.
constexpr int most_vertices_drawn = 1 << 16;

struct Draw {
  const Network& network;

  MachineDrawing operator()(const Crossbar& shape) const { return draw_crossbar(shape, network); }
  MachineDrawing operator()(const Torus& shape) const { return draw_torus(shape, network); }
  MachineDrawing operator()(const FatTree& shape) const { return draw_tree(shape, network); }
  MachineDrawing operator()(const Dragonfly& shape) const { return draw_dragonfly(shape, network); }
  MachineDrawing operator()(const Graph& shape) const { return draw_graph(shape, network); }
};

}  // namespace

DrawnPoint centre_of(const DrawnBox& box) {
  return {box.x + box.width / 2, box.y + box.height / 2};
}

std::string lane_path(DrawnPoint from, DrawnPoint to, double from_gap, double to_gap) {
  constexpr double lane = 1.9;  // from the middle
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double length = std::max(std::hypot(dx, dy), 1e-9);
  const double ux = dx / length, uy = dy / length;
  return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x + from_gap * ux - lane * uy,
                     from.y + from_gap * uy + lane * ux, to.x - to_gap * ux - lane * uy,
                     to.y - to_gap * uy + lane * ux);
}

DrawnPoint in_rows(int i, int columns, double width, double height) {
  const int row = i / columns;
  return {(i - row * columns) * width, row * height};
}

int rows_for(int count, int columns) { return (count + columns - 1) / columns; }

int columns_for(int count, double item_width, double item_height, double aspect) {
  const double best = std::sqrt(aspect * count * item_height / item_width);
  return std::clamp(static_cast<int>(std::lround(best)), 1, std::max(count, 1));
}

MachineDrawing drawing_of(const NetworkShape& shape, const Network& network) {
  if (network.vertices() > most_vertices_drawn)
    throw Error(Error::invalid,
                fmt::format("a page would have to show {} nodes and switches, more than {}",
                            network.vertices(), most_vertices_drawn),
                "leave out --page");
  return std::visit(Draw{network}, shape);
}

}  // namespace weft::cli
