// cli/place/network_words: names by shape.

#include "weft/cli/place/network_words.hpp"

#include "weft/base/ensure.hpp"
#include "weft/cli/place/network_places.hpp"

namespace weft::cli {

namespace {

struct VertexText {
  int nodes, vertex;

  std::string operator()(const Crossbar&) const { return "the switch"; }
  std::string operator()(const Torus& shape) const {
    if (shape.extents.size() == 1) return fmt::format("node {}", vertex);
    return fmt::format("node {} ({})", vertex, fmt::join(coordinates_of(shape, vertex), ", "));
  }
  std::string operator()(const FatTree& shape) const {
    const TreePlace place = place_of(shape, vertex);
    return fmt::format("switch {} of level {}", place.number, place.level);
  }
  std::string operator()(const Dragonfly& shape) const {
    const RouterPlace place = place_of(shape, vertex - nodes);
    return fmt::format("router {} of chassis {} of group {}", place.router, place.chassis,
                       place.group);
  }
  std::string operator()(const Graph&) const { return fmt::format("switch {}", vertex); }
};

struct LinkKind {
  int nodes;
  const Link& link;

  // Where nodes are linked to switches only, or both in any way.
  std::string ends() const {
    const auto what = [&](int vertex) { return vertex < nodes ? "node" : "switch"; };
    return fmt::format("{} to {}", what(link.from), what(link.to));
  }
  std::string operator()(const Crossbar&) const { return ends(); }
  std::string operator()(const Graph&) const { return ends(); }
  std::string operator()(const Torus& shape) const {
    return fmt::format("along dimension {}", 1 + dimension_of(shape, link));
  }
  std::string operator()(const FatTree& shape) const {
    return fmt::format("level {} to {}", place_of(shape, link.from).level,
                       place_of(shape, link.to).level);
  }
  std::string operator()(const Dragonfly& shape) const {
    if (link.from < nodes) return "node to router";
    if (link.to < nodes) return "router to node";
    const RouterPlace from = place_of(shape, link.from - nodes);
    const RouterPlace to = place_of(shape, link.to - nodes);
    if (from.group != to.group) return "between groups";
    return from.chassis != to.chassis ? "between chassis" : "in a chassis";
  }
};

}  // namespace

std::string vertex_text(const NetworkShape& shape, const Network& network, int vertex) {
  if (vertex < network.nodes() && !std::holds_alternative<Torus>(shape))
    return fmt::format("node {}", vertex);
  return std::visit(VertexText{network.nodes(), vertex}, shape);
}

std::string link_text(const NetworkShape& shape, const Network& network, const Link& link) {
  return fmt::format("from {} to {}", vertex_text(shape, network, link.from),
                     vertex_text(shape, network, link.to));
}

std::string link_kind(const NetworkShape& shape, const Network& network, const Link& link) {
  return std::visit(LinkKind{network.nodes(), link}, shape);
}

}  // namespace weft::cli
