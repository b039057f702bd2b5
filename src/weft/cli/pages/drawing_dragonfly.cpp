// cli/pages/drawing_dragonfly: a box for each group, a row for each chassis, a square of nodes for
// each router.

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/drawing_parts.hpp"
#include "weft/cli/place/network_places.hpp"

namespace weft::cli {

namespace {

constexpr double blade_node_side = 6, blade_node_pitch = 7,
                 rim = 2;  // of a router, around its nodes
constexpr double router_gap = 2, chassis_gap = 4,
                 group_inset = 5;  // of a group, around its routers
constexpr double group_gap = 14;

struct DragonflySizes {
  explicit DragonflySizes(const Dragonfly& shape) {
    columns = columns_for(shape.nodes, 1, 1, 1);
    const int rows = rows_for(shape.nodes, columns);
    router = {0, 0, columns * blade_node_pitch - 1 + 2 * rim,
              rows * blade_node_pitch - 1 + 2 * rim};
    group = {0, 0, shape.routers * (router.width + router_gap) - router_gap + 2 * group_inset,
             shape.chassis * (router.height + chassis_gap) - chassis_gap + 2 * group_inset};
    constexpr double aspect = 1.1;
    groups = columns_for(shape.groups, group.width + group_gap,
                         group.height + group_gap + label_height, aspect);
  }
  int columns;  // of nodes at a router
  int groups;   // in a row
  DrawnBox router, group;
};

void add_router(const Dragonfly& shape, const DragonflySizes& sizes, DrawnPoint at,
                MachineDrawing& drawing) {
  drawing.switches.push_back({at.x, at.y, sizes.router.width, sizes.router.height});
  for (int node = 0; node < shape.nodes; ++node) {
    const DrawnPoint in = in_rows(node, sizes.columns, blade_node_pitch, blade_node_pitch);
    drawing.nodes.push_back(
        {at.x + rim + in.x, at.y + rim + in.y, blade_node_side, blade_node_side});
  }
}

}  // namespace

MachineDrawing draw_dragonfly(const Dragonfly& shape, const Network&) {
  const DragonflySizes sizes(shape);
  MachineDrawing drawing;
  for (int group = 0; group < shape.groups; ++group) {
    const DrawnPoint at = in_rows(group, sizes.groups, sizes.group.width + group_gap,
                                  sizes.group.height + group_gap + label_height);
    const double x = at.x, y = at.y + label_height;
    drawing.labels.push_back({x, y - 5, fmt::format("group {}", group)});
    drawing.frames.push_back({x, y, sizes.group.width, sizes.group.height});
    for (int chassis = 0; chassis < shape.chassis; ++chassis)
      for (int router = 0; router < shape.routers; ++router)
        add_router(shape, sizes,
                   {x + group_inset + router * (sizes.router.width + router_gap),
                    y + group_inset + chassis * (sizes.router.height + chassis_gap)},
                   drawing);
    drawing.width = std::max(drawing.width, x + sizes.group.width);
    drawing.height = y + sizes.group.height;
  }
  drawing.caption =
      "Each frame is a group, each of its rows a chassis, and each box in a row a router with its "
      "nodes.";
  return drawing;
}

}  // namespace weft::cli
