// program/message_groups: messages of a cell go together, exchange by exchange.

#include "weft/program/message_groups.hpp"

#include <gmock/gmock.h>

namespace weft {
namespace {

Message in_cell(int cell) { return {0, cell, 2, 0, 1, cell}; }

}  // namespace

TEST(MessageGroups, are_in_the_order_of_exchanges_and_cells) {
  ExchangeProgram p2p, alltoallv;
  p2p.receives = {in_cell(3), in_cell(0)};
  p2p.sends = {in_cell(3), in_cell(1), in_cell(3)};
  alltoallv.collectives.resize(2);
  Program program;
  program.exchanges = {p2p, alltoallv};
  EXPECT_THAT(message_groups(program),
              testing::ElementsAre(
                  MessageGroup{0, 0, {{Task::receive, 1}}}, MessageGroup{0, 1, {{Task::send, 1}}},
                  MessageGroup{0, 3, {{Task::receive, 0}, {Task::send, 0}, {Task::send, 2}}},
                  MessageGroup{1, 0, {{Task::collective, 0}}},
                  MessageGroup{1, 1, {{Task::collective, 1}}}));
}

TEST(MessageGroups, have_no_boxes) {
  ExchangeProgram boxes, runs;
  boxes.collectives.resize(1);
  boxes.collectives.front().method = Collective::alltoallw;
  runs.sends = {in_cell(0)};
  Program program;
  program.exchanges = {boxes, runs};
  EXPECT_FALSE(goes_in_groups(boxes));
  EXPECT_THAT(message_groups(program), testing::ElementsAre(MessageGroup{1, 0, {{Task::send, 0}}}));
}

}  // namespace weft
