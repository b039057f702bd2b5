// cli/pages/drawing_torus: planes of nodes node_side by node_side; a torus of one dimension as a
// ring or as rows.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/drawing_parts.hpp"
#include "weft/cli/place/network_places.hpp"

namespace weft::cli {

namespace {

constexpr double torus_pitch = 28, torus_margin = 12;
// Where no links are drawn.
constexpr double dense_side = 7, dense_pitch = 9;
constexpr int most_on_ring = 96;

// Where the coordinates of a torus are drawn: dimensions 1, 3, 5, ... to the right, the others
// down, each as a row or column of what the dimensions before it make up. The last one, where it
// has no partner, goes on in further rows.
class Planes {
 public:
  Planes(const Torus& shape, double pitch) {
    const int dimensions = static_cast<int>(shape.extents.size());
    double width = pitch, height = pitch;
    for (int i = 0; i < dimensions; i += 2) {
      const double gap = i == 0 ? 0 : planes_gap * i / 2;
      const int across = shape.extents[static_cast<std::size_t>(i)];
      step_x_.push_back(width + gap);
      step_y_.push_back(height + gap + (i == 0 ? 0 : label_height));
      const bool is_alone = i + 1 == dimensions;
      columns_.push_back(is_alone ? columns_alone(across, i) : across);
      const int down = is_alone ? rows_for(across, columns_.back())
                                : shape.extents[static_cast<std::size_t>(i) + 1];
      width = step_x_.back() * columns_.back() - gap;
      height = step_y_.back() * down - (step_y_.back() - height);
    }
    size_ = {width, height};
  }

  // The upper left corner of the cell of a node.
  DrawnPoint at(const std::vector<int>& coordinates) const {
    DrawnPoint at;
    for (std::size_t i = 0; i < coordinates.size(); i += 2) {
      const bool is_alone = i + 1 == coordinates.size();
      const int column = columns_[i / 2];
      int across = is_alone ? coordinates[i] % column : coordinates[i];
      const int down = is_alone ? coordinates[i] / column : coordinates[i + 1];
      // Rows of one dimension go forth and back, so that neighbours are beside each other.
      if (coordinates.size() == 1 && down % 2 == 1) across = column - 1 - across;
      at.x += across * step_x_[i / 2];
      at.y += down * step_y_[i / 2];
    }
    return at;
  }
  DrawnPoint size() const { return size_; }

 private:
  static constexpr double planes_gap = 26;

  int columns_alone(int across, int dimension) const {
    if (dimension == 0) {
      constexpr int most_in_row = 38;
      return std::min(across, most_in_row);
    }
    if (across * step_x_.back() <= page_width) return across;
    constexpr double aspect = 2;
    const int wanted = columns_for(across, step_x_.back(), step_y_.back(), aspect);
    return rows_for(across, rows_for(across, wanted));  // rows of equal length
  }

  std::vector<double> step_x_, step_y_;
  std::vector<int> columns_;
  DrawnPoint size_;
};

bool is_ring(const Torus& shape) {
  return shape.extents.size() == 1 && (shape.wraps.empty() || shape.wraps[0]) &&
         shape.extents[0] > 2 && shape.extents[0] <= most_on_ring;
}

void place_ring(const Torus& shape, MachineDrawing& drawing) {
  const int count = shape.extents[0];
  const double radius = std::max(40.0, count * torus_pitch / (2 * std::numbers::pi));
  drawing.width = drawing.height = 2 * (radius + torus_margin) + node_side;
  for (int node = 0; node < count; ++node) {
    const double angle = 2 * std::numbers::pi * node / count - std::numbers::pi / 2;
    drawing.nodes.push_back({drawing.width / 2 + radius * std::cos(angle) - node_side / 2,
                             drawing.height / 2 + radius * std::sin(angle) - node_side / 2,
                             node_side, node_side});
  }
  drawing.caption = "The nodes are in their order on a ring, node 0 at the top.";
}

// The numbers of the planes, above each.
void label_planes(const Torus& shape, const Planes& planes, MachineDrawing& drawing) {
  const std::size_t dimensions = shape.extents.size();
  if (dimensions < 3) return;
  const int of_plane = shape.extents[0] * shape.extents[1];
  const int count = static_cast<int>(drawing.nodes.size()) / of_plane;
  for (int plane = 0; plane < count; ++plane) {
    const std::vector<int> coordinates = coordinates_of(shape, plane * of_plane);
    const DrawnPoint at = planes.at(coordinates);
    const std::vector<int> rest(coordinates.begin() + 2, coordinates.end());
    drawing.labels.push_back({at.x + torus_margin + 7, at.y + torus_margin + label_height - 4,
                              fmt::format("(x, y, {})", fmt::join(rest, ", "))});
  }
}

void place_planes(const Torus& shape, double pitch, double side, MachineDrawing& drawing) {
  const Planes planes(shape, pitch);
  const std::size_t dimensions = shape.extents.size();
  const double top = dimensions > 2 ? label_height : 0;
  drawing.width = planes.size().x + 2 * torus_margin;
  drawing.height = planes.size().y + 2 * torus_margin + top;
  const double inset = (pitch - side) / 2;
  int nodes = 1;
  for (const int extent : shape.extents) nodes *= extent;
  for (int node = 0; node < nodes; ++node) {
    const DrawnPoint at = planes.at(coordinates_of(shape, node));
    drawing.nodes.push_back(
        {at.x + torus_margin + inset, at.y + torus_margin + inset + top, side, side});
  }
  label_planes(shape, planes, drawing);
  drawing.caption = dimensions == 1 ? "The nodes are in their order, row after row, forth and back."
                    : dimensions == 2
                        ? "The first dimension, x, goes to the right, the second one down."
                        : "Each square is a plane: the first dimension, x, goes to the right, the "
                          "second one, y, down. Above each plane are its other coordinates.";
}

// A cable within a plane: the line between neighbours, or its beginning and end where it leads
// around.
std::string plane_path(DrawnPoint from, DrawnPoint to, bool wraps) {
  if (!wraps) return lane_path(from, to, node_side / 2, node_side / 2);
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-9);
  const double ux = dx / length, uy = dy / length, reach = node_side / 2 + stub_length;
  return lane_path(from, {from.x - reach * ux, from.y - reach * uy}, node_side / 2, 0) +
         lane_path({to.x + reach * ux, to.y + reach * uy}, to, 0, node_side / 2);
}

// A cable to another plane: a tick at the corner of the node where it begins, for each direction of
// the third and fourth dimension.
std::string tick_path(DrawnPoint from, std::size_t dimension, bool goes_up) {
  const double right = goes_up ? 1 : -1, down = (dimension == 2 ? -1 : 1) * right;
  const double near = node_side / 2, far = node_side / 2 + stub_length - 2;
  return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x + right * near, from.y + down * near,
                     from.x + right * far, from.y + down * far);
}

void add_wires(const Torus& shape, const Network& network, MachineDrawing& drawing) {
  std::set<std::pair<int, int>> seen;  // of two cables between the same nodes, the second one wraps
  constexpr std::size_t dimensions_drawn = 4;
  for (std::size_t i = 0; i < network.links().size(); ++i) {
    const Link& link = network.links()[i];
    const std::size_t dimension = dimension_of(shape, link);
    if (dimension >= dimensions_drawn) continue;
    const int from = coordinates_of(shape, link.from)[dimension];
    const int to = coordinates_of(shape, link.to)[dimension];
    const bool wraps = std::abs(to - from) > 1 || !seen.insert({link.from, link.to}).second;
    const DrawnPoint a = centre_of(drawing.nodes[static_cast<std::size_t>(link.from)]);
    const DrawnPoint b = centre_of(drawing.nodes[static_cast<std::size_t>(link.to)]);
    drawing.wires.push_back(
        {static_cast<int>(i), dimension < 2 ? plane_path(a, b, wraps && !is_ring(shape))
                                            : tick_path(a, dimension, (to > from) != wraps)});
  }
  if (shape.extents.size() > 2)
    drawing.caption += shape.extents.size() == 3
                           ? " Ticks at the corners of nodes are links to the next plane (upper "
                             "right) and to the previous one (lower left)."
                           : " Ticks at the corners of nodes are links along the third dimension "
                             "(upper right and lower left) and the fourth (the other corners).";
}

}  // namespace

MachineDrawing draw_torus(const Torus& shape, const Network& network) {
  MachineDrawing drawing;
  const bool has_wires = network.links().size() <= most_wires;
  if (is_ring(shape))
    place_ring(shape, drawing);
  else
    place_planes(shape, has_wires ? torus_pitch : dense_pitch, has_wires ? node_side : dense_side,
                 drawing);
  if (has_wires)
    add_wires(shape, network, drawing);
  else
    drawing.caption += " The links are too many to be drawn.";
  return drawing;
}

}  // namespace weft::cli
