// model/traffic: a sample of ranks may miss the busiest one, but not that something leaves a node.

#include "weft/model/traffic.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

Decomposition on_grid(const Dims& parts) {
  return Decomposition::on_grid({256, 4, 4}, {parts}, 256);
}

// Ranks 2a and 2a + 1 exchange data; the only pair on two nodes is 126 and 127.
Machine nodes_of_127() {
  Machine machine;
  machine.ranks = 256;
  for (int rank = 0; rank < 256; ++rank) machine.node_of_rank.push_back(rank / 127);
  return machine;
}

}  // namespace

TEST(Traffic, between_nodes_is_found_where_no_sampled_rank_has_any) {
  const Traffic moved = busiest_traffic(on_grid({128, 2, 1}), on_grid({128, 1, 2}), nodes_of_127());
  EXPECT_GT(moved.far_points, 0);
  EXPECT_GT(moved.far_messages, 0);
}

TEST(Traffic, within_nodes_is_told_from_that) {
  Machine machine = nodes_of_127();
  for (int rank = 0; rank < 256; ++rank)
    machine.node_of_rank[static_cast<std::size_t>(rank)] = rank / 128;
  EXPECT_EQ(busiest_traffic(on_grid({128, 2, 1}), on_grid({128, 1, 2}), machine).far_points, 0);
}

}  // namespace weft
