// machine/network_shape: how the nodes of a machine are connected, as values.
// Pure.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace weft {

/// What a link carries in each direction, and how long a message takes to pass it.
struct LinkSpeed {
  double bytes_per_second = 1e9;
  double latency_seconds = 1e-6;

  friend bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// One switch that never limits the bandwidth: a message passes the links of its sender and of its
/// receiver.
struct Crossbar {
  int nodes = 1;
  LinkSpeed link;

  friend bool operator==(const Crossbar&, const Crossbar&) = default;
};

/// Nodes on a grid of any number of dimensions, each linked to its two neighbours along each; the
/// number of a node counts the first dimension fastest. A message passes the dimensions in order,
/// along each the shorter way.
struct Torus {
  /// Which way a message goes where both are equally long.
  enum class Ties {
    split,  ///< upwards from even coordinates, downwards from odd ones, so that both share the load
    up,     ///< upwards, except from the middle of a line; SimGrid routes so
  };
  std::vector<int> extents;
  std::vector<bool> wraps;  ///< per dimension, whether its ends are linked; none given: all are
  Ties ties = Ties::split;
  LinkSpeed link;

  friend bool operator==(const Torus&, const Torus&) = default;
};

/// Levels of switches above the nodes, the lowest first: each switch of a level has below[level]
/// children, each child above[level] parents, and each pair of them parallel[level] links, of which
/// static routes use one. A message goes up until it is above its receiver, by the parent that the
/// number of the receiver says (d-mod-k routing), so that each receiver has a tree of its own.
struct FatTree {
  std::vector<int> below, above, parallel;
  LinkSpeed link;

  friend bool operator==(const FatTree&, const FatTree&) = default;
};

/// Groups of chassis of routers of nodes, as in a Cray XC: routers of a chassis are all linked to
/// each other, and so are routers with the same place in the chassis of a group, and groups. Router
/// number g of each group, counted through its chassis, has the link to group g. The numbers of
/// links are how many times the speed of `link` a pair has, and a node with its router.
struct Dragonfly {
  int groups = 1, chassis = 1, routers = 1, nodes = 1;  ///< in all, of a group, chassis and router
  int group_links = 1, chassis_links = 1, router_links = 1, node_links = 1;
  LinkSpeed link;

  friend bool operator==(const Dragonfly&, const Dragonfly&) = default;
};

/// Any network: cables between nodes, which are numbered first, and switches. A message takes the
/// fewest cables. Of several such routes it takes the one whose vertices have the lowest numbers,
/// compared from the end of the route, and of parallel cables the first.
struct Graph {
  struct Cable {
    int from = 0, to = 0;  ///< both directions
    LinkSpeed speed;
    friend bool operator==(const Cable&, const Cable&) = default;
  };
  int nodes = 1, switches = 0;
  std::vector<Cable> cables;

  friend bool operator==(const Graph&, const Graph&) = default;
};

using NetworkShape = std::variant<Crossbar, FatTree, Torus, Dragonfly, Graph>;

/// The number of nodes. Error::invalid, with the numbers, for a shape that cannot exist: sizes
/// below 1, speeds that are not positive, lists of different lengths, a dragonfly whose groups have
/// no router for each other group, a graph that is not connected.
int checked_nodes(const NetworkShape& shape);

/// In one line: "torus 8x8x8", "dragonfly of 18 groups of 6 chassis of 16 routers of 4 nodes".
std::string to_string(const NetworkShape& shape);

}  // namespace weft
