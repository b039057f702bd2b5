// networks/node_choice: free nodes for a job that are near each other, or whose messages meet
// little.

#include "weft/networks/node_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/first_nodes.hpp"
#include "weft/base/ensure.hpp"
#include "weft/networks/network_of.hpp"

using namespace weft;
using weft::test::first_nodes;

namespace {

Dragonfly small_dragonfly() {
  Dragonfly shape;
  shape.groups = 3;
  shape.chassis = 2;
  shape.routers = 4;
  shape.nodes = 4;
  return shape;
}

// Messages on the busiest link if all nodes send one to each other.
double busiest(const Network& network, const std::vector<int>& nodes) {
  LinkLoads loads(network);
  for (const int from : nodes)
    for (const int to : nodes)
      if (from != to) loads.add(from, to, 1);
  return loads.busiest().bytes;
}

}  // namespace

TEST(ConnectedNodes, are_near_each_other) {
  Dragonfly shape;
  shape.groups = 3;
  shape.chassis = 2;
  shape.routers = 4;
  shape.nodes = 4;
  const auto network = network_of(shape);
  // One router, then one chassis, and one group, wherever they are free.
  const auto spread = [&](const std::vector<int>& nodes, int size) {
    return nodes.back() / size - nodes.front() / size;
  };
  EXPECT_EQ(spread(connected_nodes(*network, first_nodes(96), 4), 4), 0);
  EXPECT_EQ(spread(connected_nodes(*network, first_nodes(96), 16), 16), 0);
  EXPECT_EQ(spread(connected_nodes(*network, first_nodes(96), 32), 32), 0);
  const std::vector<int> free{1, 7, 33, 40, 50, 52, 53, 54, 55, 90};
  EXPECT_EQ(connected_nodes(*network, free, 4), (std::vector<int>{52, 53, 54, 55}));
  EXPECT_EQ(connected_nodes(*network, free, 10), free);
  for (const int count : {0, 11}) EXPECT_THROW(connected_nodes(*network, free, count), Error);
}

TEST(UncrowdedNodes, of_a_dragonfly_share_no_links_of_routers_that_others_could_have) {
  const auto network = network_of(small_dragonfly());
  for (const int count : {6, 8, 12}) {
    const std::vector<int> uncrowded = uncrowded_nodes(*network, first_nodes(96), count);
    const std::vector<int> connected = connected_nodes(*network, first_nodes(96), count);
    EXPECT_LT(busiest(*network, uncrowded), busiest(*network, connected)) << count;
  }
}

TEST(UncrowdedNodes, load_the_busiest_link_no_more_than_connected_ones) {
  Torus torus;
  torus.extents = {4, 4, 4};
  for (const NetworkShape& shape : {NetworkShape(small_dragonfly()), NetworkShape(torus)}) {
    const auto network = network_of(shape);
    std::vector<int> free;
    for (int node = 0; node < network->nodes(); ++node)
      if (node * 7 % 5 != 0) free.push_back(node);
    for (const int count : {2, 5, 8, 12, 16}) {
      const std::vector<int> nodes = uncrowded_nodes(*network, free, count);
      EXPECT_EQ(nodes.size(), static_cast<std::size_t>(count));
      EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
      EXPECT_TRUE(std::includes(free.begin(), free.end(), nodes.begin(), nodes.end()));
      EXPECT_LE(busiest(*network, nodes), busiest(*network, connected_nodes(*network, free, count)))
          << count << " of " << network->nodes();
    }
  }
  for (const int count : {0, 97})
    EXPECT_THROW(uncrowded_nodes(*network_of(small_dragonfly()), first_nodes(96), count), Error);
}

TEST(ConnectedNodes, are_those_around_the_first_where_very_many_are_free) {
  Torus shape;
  shape.extents = {128, 128};
  const auto network = network_of(shape);
  const std::vector<int> free = first_nodes(128 * 128);
  // The 9 nodes are a square of 3 x 3, in which no route has more than 4 links.
  const auto few = connected_nodes(*network, free, 9);
  for (const int node : few) {
    std::vector<int> route;
    network->add_route(few.front(), node, route);
    EXPECT_LE(route.size(), 4);
  }
  for (const int count : {1500, 9000}) {
    const auto many = connected_nodes(*network, free, count);
    EXPECT_EQ(many.size(), count);
    EXPECT_EQ(std::adjacent_find(many.begin(), many.end()), many.end());
    EXPECT_TRUE(std::is_sorted(many.begin(), many.end()));
  }
  // Comparing would take minutes.
  EXPECT_EQ(uncrowded_nodes(*network, free, 9000), connected_nodes(*network, free, 9000));
}
