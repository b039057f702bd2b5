// networks/network_of: routes on tori, trees, dragonflies and graphs.

#include "weft/networks/network_of.hpp"

#include <algorithm>

namespace weft {

namespace {

template <class Number>
std::size_t index(Number number) {
  return static_cast<std::size_t>(number);
}

class TorusNetwork : public Network {
 public:
  explicit TorusNetwork(const Torus& shape)
      : Network(checked_nodes(shape), checked_nodes(shape)),
        extents_(shape.extents),
        wraps_(shape.wraps),
        ties_(shape.ties) {
    wraps_.resize(extents_.size(), true);
    for (int step = 1; const int extent : extents_) {
      steps_.push_back(step);
      step *= extent;
    }
    for (int node = 0; node < nodes(); ++node)
      for (std::size_t i = 0; i < extents_.size(); ++i) {
        const int above = moved(node, i, 1);
        const bool is_linked = wraps_[i] ? above != node : above > node;
        up_.push_back(is_linked ? add_link(node, above, shape.link) : -1);
        if (is_linked) add_link(above, node, shape.link);
      }
  }
  void add_route(int from, int to, std::vector<int>& route) const override {
    for (std::size_t i = 0; i < extents_.size(); ++i) {
      const int step = steps_[i], n = extents_[i];
      int here = from / step % n;
      const int there = to / step % n;
      if (here == there) continue;
      const bool up = goes_up(here, there, i);
      while (here != there) {
        int after = here + (up ? 1 : -1);
        if (after == n) after = 0;
        if (after < 0) after = n - 1;
        const int next = from + (after - here) * step;
        route.push_back(up ? link_up(from, i) : link_up(next, i) + 1);
        from = next;
        here = after;
      }
    }
  }

 private:
  int link_up(int node, std::size_t dimension) const {
    return up_[index(node) * extents_.size() + dimension];
  }
  int moved(int node, std::size_t dimension, int by) const {
    const int step = steps_[dimension];
    const int n = extents_[dimension], here = node / step % n;
    return node + ((here + by + n) % n - here) * step;
  }
  int steps(int here, int there, std::size_t dimension, bool up) const {
    const int n = extents_[dimension];
    return (up ? there - here + n : here - there + n) % n;
  }
  bool goes_up(int here, int there, std::size_t dimension) const {
    if (!wraps_[dimension]) return there > here;
    const int up = steps(here, there, dimension, true), n = extents_[dimension];
    if (2 * up != n) return 2 * up < n;
    return ties_ == Torus::Ties::split ? here % 2 == 0 : here != n / 2;
  }

  std::vector<int> extents_, steps_;  // from node to node along each dimension
  std::vector<bool> wraps_;
  Torus::Ties ties_;
  // The link that leaves each node upwards along each dimension, which the link downwards to the
  // node follows; -1 where there is none.
  std::vector<int> up_;
};

// A vertex of level l has a label of one digit for each level: the digits below l say which of the
// parents it is, the others which of the children.
class TreeNetwork : public Network {
 public:
  explicit TreeNetwork(const FatTree& shape)
      : Network(checked_nodes(shape), vertices_of(shape)),
        below_(shape.below),
        above_(shape.above) {
    int first = 0;
    for (std::size_t level = 0; level < below_.size(); ++level) {
      first_.push_back(first);
      const int count = count_at(shape, level), next = first + count;
      first_link_.push_back(static_cast<int>(links().size()));
      for (int place = 0; place < count; ++place)
        for (int parent = 0; parent < above_[level]; ++parent) {
          const int above = next + with_digit(place, level, parent, level);
          add_link(first + place, above, shape.link);
          add_link(above, first + place, shape.link);
        }
      first = next;
    }
    first_.push_back(first);
  }

  void add_route(int from, int to, std::vector<int>& route) const override {
    if (from == to) return;
    // Up to the lowest level above which all digits of the two are the same.
    std::size_t top = below_.size();
    while (top > 0 && digit(from, top - 1, 0) == digit(to, top - 1, 0)) --top;
    int place = from, rest = to;
    std::vector<int> parents;
    for (std::size_t level = 0; level < top; ++level) {
      parents.push_back(rest % above_[level]);
      route.push_back(link(level, place, parents.back()));
      place = with_digit(place, level, parents.back(), level);
      rest /= above_[level];
    }
    // Goes down again, through the switches above the receiver.
    for (std::size_t level = top; level-- > 0;) {
      const int child = with_digit(place, level, digit(to, level, 0), level + 1);
      route.push_back(link(level, child, parents[level]) + 1);
      place = child;
    }
  }

 private:
  static int count_at(const FatTree& shape, std::size_t level) {
    int count = 1;
    for (std::size_t i = 0; i < shape.below.size(); ++i)
      count *= i < level ? shape.above[i] : shape.below[i];
    return count;
  }
  static int vertices_of(const FatTree& shape) {
    int all = 0;
    for (std::size_t level = 0; level <= shape.below.size(); ++level) all += count_at(shape, level);
    return all;
  }
  // How many values digit i has at a level.
  int base(std::size_t i, std::size_t level) const { return i < level ? above_[i] : below_[i]; }
  int digit(int place, std::size_t which, std::size_t level) const {
    for (std::size_t i = 0; i < which; ++i) place /= base(i, level);
    return place % base(which, level);
  }
  // The place at the level above (or below) that differs in the digit `which` of a place at
  // `level`, where this digit counts parents at `which` + 1 and children at `which`.
  int with_digit(int place, std::size_t which, int value, std::size_t level) const {
    const std::size_t other = level == which ? which + 1 : which;
    int made = 0, factor = 1;
    for (std::size_t i = 0; i < below_.size(); ++i) {
      made += factor * (i == which ? value : digit(place, i, level));
      factor *= base(i, other);
    }
    return made;
  }
  // Up from a place at `level` to one of its parents; the next link is the way down.
  int link(std::size_t level, int place, int parent) const {
    return first_link_[level] + 2 * (place * above_[level] + parent);
  }

  std::vector<int> below_, above_, first_, first_link_;
};

class DragonflyNetwork : public Network {
 public:
  explicit DragonflyNetwork(const Dragonfly& shape)
      : Network(checked_nodes(shape),
                checked_nodes(shape) + shape.groups * shape.chassis * shape.routers),
        shape_(shape) {
    const auto times = [&](int links) {
      return LinkSpeed{shape.link.bytes_per_second * links, shape.link.latency_seconds};
    };
    const int in_group = shape.chassis * shape.routers, routers = shape.groups * in_group;
    for (int node = 0; node < nodes(); ++node) {
      add_link(node, vertex(node / shape.nodes), times(shape.node_links));
      add_link(vertex(node / shape.nodes), node, times(shape.node_links));
    }
    const auto add = [&](std::vector<int>& table, int from, int to, int links) {
      table.push_back(from == to ? -1 : add_link(vertex(from), vertex(to), times(links)));
    };
    for (int router = 0; router < routers; ++router) {
      const int place = router % shape.routers, group = router / in_group * in_group;
      for (int other = 0; other < shape.routers; ++other)
        add(in_chassis_, router, router - place + other, shape.router_links);
      for (int other = 0; other < shape.chassis; ++other)
        add(between_chassis_, router, group + other * shape.routers + place, shape.chassis_links);
    }
    for (int group = 0; group < shape.groups; ++group)
      for (int other = 0; other < shape.groups; ++other)
        add(between_groups_, group * in_group + other, other * in_group + group, shape.group_links);
  }

  void add_route(int from, int to, std::vector<int>& route) const override {
    if (from == to) return;
    const int in_group = shape_.chassis * shape_.routers;
    route.push_back(2 * from);
    int here = from / shape_.nodes;
    const int there = to / shape_.nodes;
    if (here / in_group != there / in_group) {
      const int group = here / in_group, other = there / in_group;
      within_group(here, group * in_group + other, route);
      route.push_back(between_groups_[index(group * shape_.groups + other)]);
      here = other * in_group + group;
    }
    within_group(here, there, route);
    route.push_back(2 * to + 1);
  }

 private:
  int vertex(int router) const { return nodes() + router; }
  // Goes to the place in the chassis, then to the chassis.
  void within_group(int here, int there, std::vector<int>& route) const {
    const int place = there % shape_.routers, chassis = there / shape_.routers % shape_.chassis;
    if (here % shape_.routers != place) {
      route.push_back(in_chassis_[index(here * shape_.routers + place)]);
      here += place - here % shape_.routers;
    }
    if (here != there) route.push_back(between_chassis_[index(here * shape_.chassis + chassis)]);
  }

  Dragonfly shape_;
  // Links by the router, or group, where they begin, and the number in the chassis, of the chassis,
  // or of the group, where they end; -1 to itself.
  std::vector<int> in_chassis_, between_chassis_, between_groups_;
};

class GraphNetwork : public Network {
 public:
  explicit GraphNetwork(const Graph& shape)
      : Network(checked_nodes(shape), shape.nodes + shape.switches),
        into_(index(vertices())),
        next_(index(nodes()) * index(vertices()), -1) {
    for (const Graph::Cable& cable : shape.cables) {
      into_[index(cable.to)].push_back({cable.from, add_link(cable.from, cable.to, cable.speed)});
      into_[index(cable.from)].push_back({cable.to, add_link(cable.to, cable.from, cable.speed)});
    }
    for (auto& all : into_) {
      // The first of several cables between the same two.
      std::ranges::stable_sort(all, {}, &Way::from);
      const auto others = std::ranges::unique(all, {}, &Way::from);
      all.erase(others.begin(), others.end());
    }
    for (int node = 0; node < nodes(); ++node) find_ways_to(node);
  }

  void add_route(int from, int to, std::vector<int>& route) const override {
    while (from != to) {
      const int link = next_[index(to) * index(vertices()) + index(from)];
      route.push_back(link);
      from = links()[index(link)].to;
    }
  }

 private:
  // A link, and the vertex where it begins.
  struct Way {
    int from, link;
  };

  // Breadth first, from the end, until all are reached.
  void find_ways_to(int end) {
    int* const next = next_.data() + index(end) * index(vertices());
    std::vector<int> reached{end};
    reached.reserve(index(vertices()));
    for (std::size_t i = 0; i < reached.size() && reached.size() < index(vertices()); ++i)
      for (const Way& way : into_[index(reached[i])]) {
        if (way.from == end || next[way.from] >= 0) continue;
        next[way.from] = way.link;
        reached.push_back(way.from);
      }
  }

  std::vector<std::vector<Way>> into_;  // by the vertex where they end
  std::vector<int> next_;               // the link from each vertex towards each node
};

}  // namespace

std::unique_ptr<const Network> network_of(const NetworkShape& shape) {
  checked_nodes(shape);
  struct Make {
    std::unique_ptr<const Network> operator()(const Crossbar& shape) {
      return crossbar_network(shape);
    }
    std::unique_ptr<const Network> operator()(const FatTree& shape) {
      return std::make_unique<TreeNetwork>(shape);
    }
    std::unique_ptr<const Network> operator()(const Torus& shape) {
      return std::make_unique<TorusNetwork>(shape);
    }
    std::unique_ptr<const Network> operator()(const Dragonfly& shape) {
      return std::make_unique<DragonflyNetwork>(shape);
    }
    std::unique_ptr<const Network> operator()(const Graph& shape) {
      return std::make_unique<GraphNetwork>(shape);
    }
  };
  return std::visit(Make{}, shape);
}

}  // namespace weft
