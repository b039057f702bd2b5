// networks/rank_order: curves visit every node once, searches end where messages meet less, and
// nodes that are near each other are chosen.

#include "weft/networks/rank_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "support/first_nodes.hpp"
#include "weft/base/ensure.hpp"
#include "weft/networks/network_of.hpp"

using namespace weft;
using weft::test::first_nodes;

namespace {

Torus unit_torus(std::vector<int> extents) {
  Torus shape;
  shape.extents = std::move(extents);
  shape.link = {1, 0};
  return shape;
}

// Where the nodes of a job are visited, one after another, along an order.
std::vector<int> visits(const RankOrder& order) {
  std::vector<int> nodes(order.places.size());
  for (std::size_t node = 0; node < nodes.size(); ++node)
    nodes[static_cast<std::size_t>(order.places[node])] = static_cast<int>(node);
  return nodes;
}

const RankOrder& named(const std::vector<RankOrder>& orders, const std::string& name) {
  return *std::find_if(orders.begin(), orders.end(),
                       [&](const RankOrder& order) { return order.name == name; });
}

// Each node sends a byte to the next one.
NodeMessages ring_of(int nodes) {
  NodeMessages messages;
  for (int node = 0; node < nodes; ++node) messages.push_back({node, (node + 1) % nodes, 1});
  return messages;
}

}  // namespace

TEST(RankOrder, of_a_curve_visits_every_node_once) {
  const auto places = first_nodes(64);
  for (const Dims& grid : {Dims{8, 8}, Dims{4, 16}, Dims{1, 64}, Dims{64, 1}})
    for (const RankOrder& order : named_orders(unit_torus({4, 4, 4}), grid, places)) {
      EXPECT_TRUE(std::is_permutation(order.places.begin(), order.places.end(), places.begin()))
          << order.name << " " << to_string(grid);
    }
  const auto orders = named_orders(Crossbar{16, {}}, {4, 4}, first_nodes(16));
  EXPECT_EQ(orders.size(), 3);  // blocks are of a torus
  EXPECT_EQ(named(orders, "launched").places, first_nodes(16));
  EXPECT_EQ(visits(named(orders, "morton")),
            (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(RankOrder, of_hilbert_goes_to_a_neighbour_each_time) {
  for (const int side : {2, 4, 8, 16}) {
    const auto orders =
        named_orders(Crossbar{side * side, {}}, {side, side}, first_nodes(side * side));
    const auto nodes = visits(named(orders, "hilbert"));
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const int rows = std::abs(nodes[i] / side - nodes[i - 1] / side);
      const int columns = std::abs(nodes[i] % side - nodes[i - 1] % side);
      EXPECT_EQ(rows + columns, 1) << side << ": " << nodes[i - 1] << " to " << nodes[i];
    }
  }
}

TEST(RankOrder, that_is_searched_lets_messages_meet_less) {
  const auto network = network_of(unit_torus({4, 4}));
  const std::vector<NodeMessages> exchanges{ring_of(16)};
  std::vector<int> scrambled = first_nodes(16);
  std::mt19937_64 random(3);
  for (std::size_t i = 15; i > 0; --i) std::swap(scrambled[i], scrambled[random() % (i + 1)]);
  const double before = link_seconds(*network, exchanges, scrambled);
  const auto found = improved_order(*network, exchanges, scrambled, 2000);
  EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), scrambled.begin()));
  EXPECT_GE(before, 2);
  EXPECT_EQ(link_seconds(*network, exchanges, found), 1);  // no two messages on a link
  EXPECT_EQ(improved_order(*network, exchanges, scrambled, 2000), found);
  EXPECT_EQ(improved_order(*network, exchanges, found, 0), found);
  // It is never worse than where it starts, which is the best here.
  EXPECT_LE(link_seconds(*network, exchanges, improved_order(*network, exchanges, found, 500)), 1);
}

TEST(RankOrder, of_several_exchanges_sums_them) {
  const auto network = network_of(unit_torus({8}));
  const std::vector<NodeMessages> exchanges{ring_of(8), {{0, 4, 3}}};
  EXPECT_EQ(link_seconds(*network, exchanges, first_nodes(8)), 1 + 3);
}

TEST(Search, affords_fewer_swaps_where_messages_have_long_routes) {
  // 8 messages of one link each, of 8 nodes: 16 links change with each swap.
  const auto ring = network_of(unit_torus({8}));
  EXPECT_EQ(affordable_swaps(*ring, {ring_of(8)}, first_nodes(8)), 25'000'000);
  EXPECT_EQ(affordable_swaps(*ring, {ring_of(8), ring_of(8)}, first_nodes(8)), 12'500'000);
  // 0 to 4 to 0: 4 links each way.
  EXPECT_EQ(affordable_swaps(*ring, {ring_of(2)}, {0, 4}), 6'250'000);
  EXPECT_EQ(affordable_swaps(*ring, {{}}, {0}), 0);
}
