// machine/network_shape: checks shapes, and names them.

#include "weft/machine/network_shape.hpp"

#include <cmath>
#include <cstdint>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// The most nodes and switches of a network, and of a graph, whose routes are a table of all pairs.
constexpr std::int64_t most_vertices = std::int64_t{1} << 24, most_graph_vertices = 1 << 13;
// The most links of a network: some 40 bytes each.
constexpr std::int64_t most_links = std::int64_t{1} << 25;

[[noreturn]] void refuse_shape(const std::string& what, const std::string& hint) {
  throw Error(Error::invalid, what, hint);
}

void check_link(const LinkSpeed& link, const char* network) {
  constexpr double least_speed = 1e-9, most_speed = 1e18, most_latency = 1e6;
  if (!(link.bytes_per_second >= least_speed && link.bytes_per_second <= most_speed))
    refuse_shape(
        fmt::format("a link of the {} carries {} bytes per second", network, link.bytes_per_second),
        "give a positive number, such as 1e9");
  if (!(link.latency_seconds >= 0 && link.latency_seconds <= most_latency))
    refuse_shape(
        fmt::format("a link of the {} has a latency of {} seconds", network, link.latency_seconds),
        "give 0 or more, such as 1e-6");
}

void check_links(std::int64_t links, const char* network) {
  if (links > most_links)
    refuse_shape(fmt::format("the {} has {} links, more than {}", network, links, most_links),
                 "describe a smaller network");
}

// Multiplies sizes, each at least 1, up to the most vertices.
class Product {
 public:
  explicit Product(const char* network) : network_(network) {}
  void times(std::int64_t size, const char* what) {
    if (size < 1)
      refuse_shape(fmt::format("the {} has {} {}", network_, size, what), "give at least 1");
    if (size > most_vertices / value_)
      refuse_shape(
          fmt::format("the {} has more than {} nodes or switches", network_, most_vertices),
          "describe a smaller network");
    value_ *= size;
  }
  int value() const { return static_cast<int>(value_); }

 private:
  const char* network_;
  std::int64_t value_ = 1;
};

// The number of nodes of each shape that can be.
struct CheckedNodes {
  int operator()(const Crossbar& shape) const {
    Product nodes("crossbar");
    nodes.times(shape.nodes, "nodes");
    check_link(shape.link, "crossbar");
    return nodes.value();
  }

  int operator()(const Torus& shape) const {
    Product nodes("torus");
    if (shape.extents.empty())
      refuse_shape("the torus has no dimension", "give its extents, as [8, 8, 8]");
    constexpr std::size_t most_dimensions = 24;
    if (shape.extents.size() > most_dimensions)
      refuse_shape(fmt::format("the torus has {} dimensions", shape.extents.size()),
                   fmt::format("give at most {}", most_dimensions));
    for (const int extent : shape.extents) nodes.times(extent, "nodes along a dimension");
    if (!shape.wraps.empty() && shape.wraps.size() != shape.extents.size())
      refuse_shape(
          fmt::format("the torus has {} dimensions, and {} of them are said to wrap or not",
                      shape.extents.size(), shape.wraps.size()),
          "give one for each dimension, or none");
    check_links(2 * std::int64_t{nodes.value()} * static_cast<std::int64_t>(shape.extents.size()),
                "torus");
    check_link(shape.link, "torus");
    return nodes.value();
  }

  int operator()(const FatTree& shape) const {
    const std::size_t levels = shape.below.size();
    if (levels == 0 || shape.above.size() != levels || shape.parallel.size() != levels)
      refuse_shape(
          fmt::format("the fat tree has {} levels of children, {} of parents and {} of links",
                      levels, shape.above.size(), shape.parallel.size()),
          "give one number of each for every level, and at least one level");
    constexpr std::size_t most_levels = 16;
    if (levels > most_levels)
      refuse_shape(fmt::format("the fat tree has {} levels", levels),
                   fmt::format("give at most {}", most_levels));
    // The vertices of every level are counted, as there may be more of them than of nodes.
    std::int64_t links = 0;
    for (std::size_t level = 0; level <= levels; ++level) {
      Product vertices("fat tree");
      for (std::size_t i = 0; i < levels; ++i)
        vertices.times(i < level ? shape.above[i] : shape.below[i], "children, or parents");
      if (level < levels) links += 2 * std::int64_t{vertices.value()} * shape.above[level];
      check_links(links, "fat tree");
    }
    Product nodes("fat tree");
    for (const int children : shape.below) nodes.times(children, "children");
    for (const int parallel : shape.parallel) Product("fat tree").times(parallel, "parallel links");
    check_link(shape.link, "fat tree");
    return nodes.value();
  }

  int operator()(const Dragonfly& shape) const {
    Product nodes("dragonfly");
    nodes.times(shape.groups, "groups");
    nodes.times(shape.chassis, "chassis in a group");
    nodes.times(shape.routers, "routers in a chassis");
    nodes.times(shape.nodes, "nodes at a router");
    for (const int links :
         {shape.group_links, shape.chassis_links, shape.router_links, shape.node_links})
      Product("dragonfly").times(links, "links between a pair");
    if (shape.groups > std::int64_t{shape.chassis} * shape.routers)
      refuse_shape(fmt::format("the dragonfly has {} groups, but {} routers in a group",
                               shape.groups, std::int64_t{shape.chassis} * shape.routers),
                   "give at least as many routers, as each has the link to one group");
    const std::int64_t routers = std::int64_t{shape.groups} * shape.chassis * shape.routers;
    check_links(2 * std::int64_t{nodes.value()} +
                    routers * (std::int64_t{shape.chassis} + shape.routers) +
                    std::int64_t{shape.groups} * shape.groups,
                "dragonfly");
    check_link(shape.link, "dragonfly");
    return nodes.value();
  }

  int operator()(const Graph& shape) const {
    const std::int64_t vertices = std::int64_t{shape.nodes} + shape.switches;
    if (shape.nodes < 1 || shape.switches < 0)
      refuse_shape(
          fmt::format("the graph has {} nodes and {} switches", shape.nodes, shape.switches),
          "give at least 1 node and no negative number");
    if (vertices > most_graph_vertices)
      refuse_shape(fmt::format("the graph has {} nodes and switches, more than {}", vertices,
                               most_graph_vertices),
                   "describe it as a torus, fat tree or dragonfly");
    for (const Graph::Cable& cable : shape.cables) {
      for (const int end : {cable.from, cable.to})
        if (end < 0 || end >= vertices)
          refuse_shape(
              fmt::format("a cable of the graph ends at {}, but there are {} nodes and switches",
                          end, vertices),
              fmt::format("nodes are 0 to {}, switches follow", shape.nodes - 1));
      check_link(cable.speed, "graph");
    }
    check_connected(shape, static_cast<std::size_t>(vertices));
    return shape.nodes;
  }

 private:
  static void check_connected(const Graph& shape, std::size_t vertices) {
    std::vector<std::vector<int>> neighbours(vertices);
    for (const Graph::Cable& cable : shape.cables) {
      neighbours[static_cast<std::size_t>(cable.from)].push_back(cable.to);
      neighbours[static_cast<std::size_t>(cable.to)].push_back(cable.from);
    }
    std::vector<bool> is_reached(vertices, false);
    std::vector<int> reached{0};
    is_reached[0] = true;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const int next : neighbours[static_cast<std::size_t>(reached[i])])
        if (!is_reached[static_cast<std::size_t>(next)]) {
          is_reached[static_cast<std::size_t>(next)] = true;
          reached.push_back(next);
        }
    for (int node = 0; node < shape.nodes; ++node)
      if (!is_reached[static_cast<std::size_t>(node)])
        refuse_shape(fmt::format("no cables of the graph lead from node 0 to node {}", node),
                     "connect all nodes");
  }
};

struct ShapeText {
  std::string operator()(const Crossbar& shape) const {
    return fmt::format("crossbar of {} nodes", shape.nodes);
  }
  std::string operator()(const Torus& shape) const {
    return fmt::format("torus {}", fmt::join(shape.extents, "x"));
  }
  std::string operator()(const FatTree& shape) const {
    return fmt::format("fat tree of {} nodes with {} children and {} parents a level",
                       CheckedNodes()(shape), fmt::join(shape.below, ","),
                       fmt::join(shape.above, ","));
  }
  std::string operator()(const Dragonfly& shape) const {
    return fmt::format("dragonfly of {} groups of {} chassis of {} routers of {} nodes",
                       shape.groups, shape.chassis, shape.routers, shape.nodes);
  }
  std::string operator()(const Graph& shape) const {
    return fmt::format("graph of {} nodes, {} switches and {} cables", shape.nodes, shape.switches,
                       shape.cables.size());
  }
};

}  // namespace

int checked_nodes(const NetworkShape& shape) { return std::visit(CheckedNodes(), shape); }

std::string to_string(const NetworkShape& shape) { return std::visit(ShapeText(), shape); }

}  // namespace weft
