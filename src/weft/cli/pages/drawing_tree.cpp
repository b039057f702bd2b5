// cli/pages/drawing_tree: levels of switches above the nodes, in one band, or for larger trees in
// rows.

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/drawing_parts.hpp"
#include "weft/cli/place/network_places.hpp"

namespace weft::cli {

namespace {

constexpr double tree_pitch = 18, top_margin = 16;
constexpr double switch_height = 12, least_switch_pitch = 14, most_switch_width = 60;
constexpr double level_label_width = 90, pod_gap = 10, level_height = 84, band_width = 2200;

int levels_of(const FatTree& shape) { return static_cast<int>(shape.below.size()); }

// Nodes below the same switches of level 1 form a pod of some columns.
struct Pods {
  Pods(const FatTree& shape, double width) : nodes(shape.below[0]) {
    count = count_at(shape, 0) / nodes;
    const auto fitting = static_cast<int>((width / count - pod_gap) / tree_pitch);
    const bool has_one_row = count * (nodes * tree_pitch + pod_gap) <= band_width;
    columns = has_one_row ? nodes : std::clamp(fitting, 1, nodes);
    rows = rows_for(nodes, columns);
    step = columns * tree_pitch + pod_gap;
  }
  int nodes, count, columns, rows;
  double step;
};

void add_pod(const Pods& pods, DrawnPoint at, MachineDrawing& drawing) {
  drawing.frames.push_back({at.x, at.y, pods.columns * tree_pitch, pods.rows * tree_pitch});
  constexpr double rim_of_pod = 2;
  for (int node = 0; node < pods.nodes; ++node) {
    const DrawnPoint in = in_rows(node, pods.columns, tree_pitch, tree_pitch);
    drawing.nodes.push_back(
        {at.x + rim_of_pod + in.x, at.y + rim_of_pod + in.y, node_side, node_side});
  }
}

std::string level_label(int level) { return level == 0 ? "nodes" : fmt::format("level {}", level); }

// Every switch above the middle of its nodes, beside the others that have the same ones.
void add_level(const FatTree& shape, const Pods& pods, int level, MachineDrawing& drawing) {
  const int count = count_at(shape, level);
  const double step = pods.count * pods.step / count;
  const double width = std::min(step * 0.7, most_switch_width);
  const double y = top_margin + (levels_of(shape) - level) * level_height;
  for (int i = 0; i < count; ++i)
    drawing.switches.push_back(
        {level_label_width + (i + 0.5) * step - width / 2, y, width, switch_height});
  drawing.labels.push_back({0, y + 10, level_label(level)});
}

void add_tree_wires(const Network& network, bool has_node_wires, MachineDrawing& drawing) {
  const auto nodes = static_cast<std::size_t>(network.nodes());
  const auto end = [&](int vertex, bool is_upper) {
    const auto i = static_cast<std::size_t>(vertex);
    const DrawnBox& box = i < nodes ? drawing.nodes[i] : drawing.switches[i - nodes];
    return DrawnPoint{box.x + box.width / 2, is_upper ? box.y + box.height : box.y};
  };
  for (std::size_t i = 0; i < network.links().size(); ++i) {
    const Link& link = network.links()[i];
    const bool goes_up = link.to > link.from;
    if (!has_node_wires && std::min(link.from, link.to) < network.nodes()) continue;
    drawing.wires.push_back(
        {static_cast<int>(i), lane_path(end(link.from, !goes_up), end(link.to, goes_up), 1, 1)});
  }
}

MachineDrawing draw_band(const FatTree& shape, const Pods& pods, const Network& network) {
  MachineDrawing drawing;
  const double bottom = top_margin + levels_of(shape) * level_height;
  for (int pod = 0; pod < pods.count; ++pod)
    add_pod(pods, {level_label_width + pod * pods.step, bottom}, drawing);
  drawing.labels.push_back({0, bottom + 14, level_label(0)});
  for (int level = 1; level <= levels_of(shape); ++level) add_level(shape, pods, level, drawing);
  drawing.width = level_label_width + pods.count * pods.step;
  drawing.height = bottom + pods.rows * tree_pitch + 4;
  drawing.caption =
      "Switches are above their nodes, level by level; nodes in a frame have the same switches of "
      "level 1.";
  const bool has_wires = network.links().size() <= most_wires / 2;
  if (has_wires) add_tree_wires(network, pods.rows == 1, drawing);
  if (!has_wires)
    drawing.caption += " The links are too many to be drawn.";
  else if (pods.rows > 1)
    drawing.caption += " The links of nodes are not drawn.";
  return drawing;
}

// Draws a tree that is too wide for a band: the switches of each level in rows, the highest level
// first, then pods in rows.
MachineDrawing draw_rows(const FatTree& shape) {
  MachineDrawing drawing;
  const double width = 2 * page_width - level_label_width;
  std::vector<std::vector<DrawnBox>> of_level;
  double y = top_margin;
  for (int level = levels_of(shape); level > 0; --level) {
    const int count = count_at(shape, level);
    const int columns = std::min(count, static_cast<int>(width / least_switch_pitch));
    std::vector<DrawnBox>& boxes = of_level.emplace_back();
    for (int i = 0; i < count; ++i) {
      const DrawnPoint at = in_rows(i, columns, least_switch_pitch, least_switch_pitch);
      boxes.push_back(
          {level_label_width + at.x, y + at.y, least_switch_pitch - 3, switch_height - 3});
    }
    drawing.labels.push_back({0, y + 10, level_label(level)});
    y += rows_for(count, columns) * least_switch_pitch + pod_gap;
  }
  for (auto boxes = of_level.rbegin(); boxes != of_level.rend(); ++boxes)
    drawing.switches.insert(drawing.switches.end(), boxes->begin(), boxes->end());
  Pods pods(shape, 0);
  pods.columns = columns_for(pods.nodes, 1, 1, 2);
  pods.rows = rows_for(pods.nodes, pods.columns);
  pods.step = pods.columns * tree_pitch + pod_gap;
  const int in_row = std::max(1, static_cast<int>(width / pods.step));
  const double row_height = pods.rows * tree_pitch + pod_gap;
  drawing.labels.push_back({0, y + 14, level_label(0)});
  for (int pod = 0; pod < pods.count; ++pod) {
    const DrawnPoint at = in_rows(pod, in_row, pods.step, row_height);
    add_pod(pods, {level_label_width + at.x, y + at.y}, drawing);
  }
  drawing.width = level_label_width + width;
  drawing.height = y + rows_for(pods.count, in_row) * row_height;
  drawing.caption =
      "The switches of each level are in rows, below them the nodes; those in a frame have the "
      "same switches of level 1. The links are too many to be drawn.";
  return drawing;
}

}  // namespace

MachineDrawing draw_tree(const FatTree& shape, const Network& network) {
  const Pods pods(shape, page_width - level_label_width);
  double width = pods.count * pods.step;
  for (int level = 1; level <= levels_of(shape); ++level)
    width = std::max(width, count_at(shape, level) * least_switch_pitch / 2);
  return width <= band_width ? draw_band(shape, pods, network) : draw_rows(shape);
}

}  // namespace weft::cli
