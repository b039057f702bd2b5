// networks/network_of: routes are connected and shortest, and loads are those that are known.

#include "weft/machine/network.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <queue>

#include "support/first_nodes.hpp"
#include "weft/base/ensure.hpp"
#include "weft/networks/network_of.hpp"

using namespace weft;
using weft::test::first_nodes;

namespace {

Torus torus(std::vector<int> extents) {
  Torus shape;
  shape.extents = std::move(extents);
  return shape;
}

FatTree fat_tree(std::vector<int> below, std::vector<int> above) {
  FatTree shape;
  shape.parallel.assign(below.size(), 1);
  shape.below = std::move(below);
  shape.above = std::move(above);
  return shape;
}

Dragonfly dragonfly(int groups, int chassis, int routers, int nodes) {
  Dragonfly shape;
  shape.groups = groups;
  shape.chassis = chassis;
  shape.routers = routers;
  shape.nodes = nodes;
  return shape;
}

// A ring of switches with a node at each, and one more cable across.
Graph ring_with_a_chord(int switches) {
  Graph shape;
  shape.nodes = shape.switches = switches;
  for (int i = 0; i < switches; ++i) {
    shape.cables.push_back({i, switches + i, {}});
    shape.cables.push_back({switches + i, switches + (i + 1) % switches, {}});
  }
  shape.cables.push_back({switches, switches + switches / 2, {}});
  return shape;
}

// The fewest links from `from` to every vertex, by what the links say alone.
std::vector<int> distances(const Network& network, int from) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(network.vertices()));
  for (const Link& link : network.links())
    out[static_cast<std::size_t>(link.from)].push_back(link.to);
  std::vector<int> distance(out.size(), -1);
  distance[static_cast<std::size_t>(from)] = 0;
  std::queue<int> next({from});
  for (; !next.empty(); next.pop())
    for (const int to : out[static_cast<std::size_t>(next.front())])
      if (distance[static_cast<std::size_t>(to)] < 0) {
        distance[static_cast<std::size_t>(to)] =
            distance[static_cast<std::size_t>(next.front())] + 1;
        next.push(to);
      }
  return distance;
}

// What one byte from each of `ranks` to each other one loads on the busiest link.
double all_to_all(const Network& network, const std::vector<int>& nodes) {
  LinkLoads loads(network);
  for (const int from : nodes)
    for (const int to : nodes) loads.add(from, to, 1);
  return loads.busiest().bytes;
}

void expect_error(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::string error_in_shape(const NetworkShape& shape) {
  try {
    network_of(shape);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Network, routes_are_connected_and_shortest) {
  Torus open = torus({5, 4});
  open.wraps = {false, true};
  Torus up = torus({6, 4, 2});
  up.ties = Torus::Ties::up;
  const std::vector<NetworkShape> shapes{Crossbar{7, {}},
                                         torus({8}),
                                         torus({3, 4, 5}),
                                         torus({2, 2, 2, 2, 2}),
                                         torus({1, 7, 1}),
                                         open,
                                         up,
                                         fat_tree({4, 3}, {1, 2}),
                                         fat_tree({2, 3, 4}, {1, 2, 3}),
                                         fat_tree({5}, {1}),
                                         dragonfly(4, 3, 5, 2),
                                         dragonfly(1, 1, 1, 3),
                                         dragonfly(6, 1, 6, 1),
                                         ring_with_a_chord(9)};
  for (const NetworkShape& shape : shapes) {
    const auto network = network_of(shape);
    ASSERT_EQ(network->nodes(), checked_nodes(shape));
    std::vector<int> route;
    for (int from = 0; from < network->nodes(); ++from) {
      const std::vector<int> distance = distances(*network, from);
      for (int to = 0; to < network->nodes(); ++to) {
        route.clear();
        network->add_route(from, to, route);
        int here = from;
        for (const int link : route) {
          ASSERT_EQ(network->links()[static_cast<std::size_t>(link)].from, here)
              << to_string(shape) << " " << from << " to " << to;
          here = network->links()[static_cast<std::size_t>(link)].to;
        }
        ASSERT_EQ(here, to) << to_string(shape);
        ASSERT_EQ(std::ssize(route), distance[static_cast<std::size_t>(to)])
            << to_string(shape) << " " << from << " to " << to;
      }
    }
  }
}

// Where links to other groups are at routers of several chassis, a way through a third group may be
// shorter; messages do not take it.
TEST(Network, messages_pass_from_group_to_group_once) {
  const Dragonfly shape = dragonfly(7, 3, 3, 2);
  const auto network = network_of(shape);
  const auto group = [&](int vertex) {
    return vertex < network->nodes() ? vertex / 18 : (vertex - network->nodes()) / 9;
  };
  std::vector<int> route;
  for (int from = 0; from < network->nodes(); ++from)
    for (int to = 0; to < network->nodes(); ++to) {
      route.clear();
      network->add_route(from, to, route);
      int here = from, between = 0;
      for (const int number : route) {
        const Link& link = network->links()[static_cast<std::size_t>(number)];
        ASSERT_EQ(link.from, here);
        here = link.to;
        between += group(link.from) != group(link.to) ? 1 : 0;
      }
      ASSERT_EQ(here, to);
      ASSERT_EQ(between, group(from) != group(to) ? 1 : 0);
      ASSERT_LE(route.size(), 7);
    }
}

// Chan, Balaji, Gropp and Thakur (2008): an all-to-all over a part of a line of a torus puts
// (p/2)^2 messages on its middle link; over the full line, where the wrap-around helps, only twice
// as many as over half of it.
TEST(Network, lines_of_a_torus_are_loaded_as_counted_by_chan) {
  for (const int a : {4, 8, 16, 32}) {
    const auto network = network_of(torus({a, 4, 4}));
    for (int p = 2; p <= a / 2; p *= 2)
      EXPECT_EQ(all_to_all(*network, first_nodes(p)), p * p / 4) << p << " of " << a;
    EXPECT_EQ(all_to_all(*network, first_nodes(a)), 2 * (a / 4) * (a / 4)) << "all of " << a;
  }
  // Lines along the second dimension are as the first, and do not load each other's links.
  const auto network = network_of(torus({4, 8, 4}));
  std::vector<int> line;
  for (int i = 0; i < 8; ++i) line.push_back(4 * i);
  EXPECT_EQ(all_to_all(*network, line), 8);
  // Without the wrap-around.
  Torus open = torus({8});
  open.wraps = {false};
  EXPECT_EQ(all_to_all(*network_of(open), first_nodes(8)), 16);
  // Ties that all go the same way load one direction more: 1+2+3+4.
  Torus up = torus({8});
  up.ties = Torus::Ties::up;
  EXPECT_EQ(all_to_all(*network_of(up), first_nodes(8)), 10);
}

// On a tree with as many links up as down on each level, d-mod-k routing gives every message of a
// shift links of its own (E. Zahavi, 2010).
TEST(Network, shifts_on_a_full_tree_do_not_meet) {
  for (const FatTree& shape : {fat_tree({4, 4}, {1, 4}), fat_tree({3, 2, 3}, {1, 3, 2})}) {
    const auto network = network_of(shape);
    for (int shift = 1; shift < network->nodes(); ++shift) {
      LinkLoads loads(*network);
      for (int node = 0; node < network->nodes(); ++node)
        loads.add(node, (node + shift) % network->nodes(), 1);
      EXPECT_EQ(loads.busiest().bytes, 1) << to_string(NetworkShape(shape)) << " by " << shift;
    }
  }
}

TEST(Network, the_busiest_link_is_the_slowest_for_its_bytes) {
  Graph shape;
  shape.nodes = 3;
  shape.cables = {{0, 1, {1e9, 0}}, {1, 2, {1e8, 0}}};
  const auto network = network_of(shape);
  LinkLoads loads(*network);
  EXPECT_EQ(loads.busiest().link, -1);
  loads.add(0, 1, 5e9);
  loads.add(0, 2, 1e9);
  const LinkLoads::Busiest busiest = loads.busiest();
  EXPECT_EQ(network->links()[static_cast<std::size_t>(busiest.link)].to, 2);
  EXPECT_EQ(busiest.bytes, 1e9);
  EXPECT_EQ(busiest.seconds, 10);
  // Between groups of a dragonfly there is one router to each other group.
  Dragonfly groups = dragonfly(3, 2, 4, 2);
  groups.group_links = 5;
  const auto fly = network_of(groups);
  LinkLoads between(*fly);
  for (int from = 0; from < 16; ++from) between.add(from, 16 + from, 1);
  EXPECT_EQ(*std::max_element(between.bytes().begin(), between.bytes().end()), 16);
  // That is five links, and so it takes less time than the way to it, by a router of one link.
  EXPECT_EQ(between.busiest().bytes, 8);
  EXPECT_DOUBLE_EQ(between.busiest().seconds, 8 / 1e9);
}

TEST(Network, what_cannot_be_is_refused) {
  expect_error(error_in_shape(Crossbar{0, {}}), "the crossbar has 0 nodes");
  expect_error(error_in_shape(Crossbar{2, {-1, 0}}), "carries -1 bytes per second");
  expect_error(error_in_shape(Crossbar{2, {1e9, -1e-6}}), "has a latency of -1e-06 seconds");
  expect_error(error_in_shape(torus({})), "the torus has no dimension");
  expect_error(error_in_shape(torus({8, -8})), "the torus has -8 nodes along a dimension");
  expect_error(error_in_shape(torus({1 << 20, 1 << 20})), "the torus has more than 16777216 nodes");
  Torus wraps = torus({8, 8});
  wraps.wraps = {true};
  expect_error(error_in_shape(wraps), "the torus has 2 dimensions, and 1 of them");
  expect_error(error_in_shape(fat_tree({}, {})), "the fat tree has 0 levels");
  expect_error(error_in_shape(fat_tree({2, 2}, {1})),
               "the fat tree has 2 levels of children, 1 of parents");
  expect_error(error_in_shape(fat_tree({2, 0}, {1, 1})), "the fat tree has 0 children");
  expect_error(error_in_shape(fat_tree({2, 2}, {1 << 13, 1 << 13})),
               "the fat tree has 268500992 links, more than");
  expect_error(error_in_shape(fat_tree(std::vector<int>(17, 1), std::vector<int>(17, 1))),
               "the fat tree has 17 levels");
  expect_error(error_in_shape(torus(std::vector<int>(25, 1))), "the torus has 25 dimensions");
  expect_error(error_in_shape(torus(std::vector<int>(24, 2))), "the torus has 805306368 links");
  expect_error(error_in_shape(dragonfly(1, 1, 65536, 1)), "links, more than");
  expect_error(error_in_shape(Crossbar{2, {1e300, 0}}), "carries 1e+300 bytes per second");
  expect_error(error_in_shape(Crossbar{2, {1e9, 1e308}}), "has a latency of 1e+308 seconds");
  expect_error(error_in_shape(dragonfly(9, 2, 4, 4)), "has 9 groups, but 8 routers in a group");
  expect_error(error_in_shape(dragonfly(0, 6, 8, 4)), "the dragonfly has 0 groups");
  Graph graph = ring_with_a_chord(4);
  graph.cables.push_back({0, 8, {}});
  expect_error(error_in_shape(graph), "a cable of the graph ends at 8, but there are 8");
  graph = ring_with_a_chord(4);
  graph.cables.erase(graph.cables.begin());
  expect_error(error_in_shape(graph), "no cables of the graph lead from node 0 to node 1");
  graph.nodes = 1 << 13;
  expect_error(error_in_shape(graph), "more than 8192");
}

TEST(LinkLoads, the_first_of_equally_busy_links_is_told_whatever_was_sent_first) {
  const auto network = network_of(Torus{{4}, {}, Torus::Ties::split, {}});
  std::vector<int> route;
  for (int node = 0; node < 4; ++node) network->add_route(node, (node + 1) % 4, route);
  LinkLoads ascending(*network), descending(*network);
  for (int node = 0; node < 4; ++node) ascending.add(node, (node + 1) % 4, 8);
  for (int node = 3; node >= 0; --node) descending.add(node, (node + 1) % 4, 8);
  const int first = *std::min_element(route.begin(), route.end());
  EXPECT_EQ(ascending.busiest().link, first);
  EXPECT_EQ(descending.busiest().link, first);
  EXPECT_EQ(ascending.busiest().bytes, 8);
  // Nothing is sent, and no link is busy.
  LinkLoads none(*network);
  none.add(0, 1, 0);
  EXPECT_EQ(none.busiest().link, -1);
}

TEST(LinkLoads, of_a_large_network_take_memory_for_the_links_that_have_some) {
  const auto network = network_of(Crossbar{1 << 20, {}});
  const auto faults = [] {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return use.ru_minflt;
  };
  // 8 bytes for each of 2^21 links are 4096 pages.
  const long before = faults();
  LinkLoads loads(*network);
  loads.add(0, 1 << 19, 8);
  EXPECT_EQ(loads.busiest().bytes, 8);
  EXPECT_LT(faults() - before, 1000);
}

TEST(Network, of_a_graph_with_many_cables_between_two_nodes_takes_the_first) {
  Graph graph;
  graph.nodes = 3;
  for (int i = 0; i < 1000; ++i) graph.cables.push_back({i % 2, 1 + i % 2, {1e9 + i, 1e-6}});
  const auto network = network_of(graph);
  std::vector<int> route;
  network->add_route(0, 2, route);
  ASSERT_EQ(route.size(), 2U);
  EXPECT_EQ(network->links()[static_cast<std::size_t>(route[0])], (Link{0, 1, {1e9, 1e-6}}));
  EXPECT_EQ(network->links()[static_cast<std::size_t>(route[1])], (Link{1, 2, {1e9 + 1, 1e-6}}));
}

TEST(Dragonfly, has_as_many_times_the_speed_at_a_node_as_it_has_links) {
  Dragonfly shape = dragonfly(2, 1, 2, 1);
  shape.link.bytes_per_second = 25e9;
  shape.node_links = 4;
  shape.group_links = 2;
  const auto network = network_of(shape);
  std::vector<int> route;
  network->add_route(0, 3, route);
  std::vector<double> speeds;
  for (const int link : route)
    speeds.push_back(network->links()[static_cast<std::size_t>(link)].speed.bytes_per_second);
  // From the node to router 0, to router 1 with the link to the other group, to its router 0, to 1.
  EXPECT_EQ(speeds, (std::vector<double>{100e9, 25e9, 50e9, 25e9, 100e9}));
}
