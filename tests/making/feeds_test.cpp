// making/feeds: messages to other nodes are distinguished from those within the node.

#include "weft/making/feeds.hpp"

#include <gmock/gmock.h>

namespace weft {
namespace {

using testing::ElementsAre;

// Columns 0 and 1 of a plane of 4 x 4 points go to rank 0 and 1, columns 2 and 3 to rank 2 and 3.
const Decomposition columns = Decomposition::on_grid({4, 4}, {{1, 4}}, 4);

Patch column(std::int64_t first, std::int64_t last, int message) {
  return packed_patch(Box{{0, first}, {1, last}}, 0, 0, message);
}

}  // namespace

TEST(Feeds, a_message_that_somebody_on_another_node_takes_feeds_that_node) {
  const Machine machine{4, {0, 0, 1, 1}};
  const Patches outgoing = {column(0, 1, 0), column(1, 2, 1), column(2, 3, 2), column(3, 4, 3)};
  EXPECT_THAT(
      feeds_of_messages(outgoing, 4, columns, machine, 0),
      ElementsAre(Feeds::this_node, Feeds::this_node, Feeds::other_nodes, Feeds::other_nodes));
  EXPECT_THAT(
      feeds_of_messages(outgoing, 4, columns, machine, 3),
      ElementsAre(Feeds::other_nodes, Feeds::other_nodes, Feeds::this_node, Feeds::this_node));
}

TEST(Feeds, one_patch_that_leaves_is_enough) {
  const Patches outgoing = {column(0, 1, 0), column(1, 3, 0)};
  EXPECT_THAT(feeds_of_messages(outgoing, 1, columns, {4, {0, 0, 1, 1}}, 0),
              ElementsAre(Feeds::other_nodes));
  EXPECT_THAT(feeds_of_messages(outgoing, 1, columns, {4, {0, 0, 0, 1}}, 0),
              ElementsAre(Feeds::this_node));
}

TEST(Feeds, what_rests_is_no_message) {
  const Patches outgoing = {column(2, 4, Patch::resident), column(0, 2, 0)};
  EXPECT_THAT(feeds_of_messages(outgoing, 1, columns, {4, {0, 0, 1, 1}}, 0),
              ElementsAre(Feeds::this_node));
}

}  // namespace weft
