// exchange/cut_messages, exchange/collective_runs: how messages are cut into pieces, and which
// bytes collectives move.

#include <gtest/gtest.h>

#include "weft/exchange/collective_runs.hpp"
#include "weft/exchange/cut_messages.hpp"
#include "weft/grid/patches.hpp"

using namespace weft;

namespace {

// Of 8 bytes an element, from buffer 2: 10 elements to rank 1, none to rank 3, and 3 to rank 1.
ExchangeProgram three_sends() {
  ExchangeProgram exchange;
  exchange.element_bytes = 8;
  exchange.sends = {{1, 5, 2, 100, 10, 0}, {3, 5, 2, 110, 0, 0}, {1, 6, 2, 110, 3, 0}};
  return exchange;
}

Patch rows(std::int64_t lo, std::int64_t hi, std::int64_t count, std::int64_t stride) {
  Patch patch;
  patch.box = {{lo, 0}, {hi, count}};
  patch.offset = lo * stride;
  patch.strides = {stride, 1};
  return patch;
}

}  // namespace

TEST(CutMessages, gives_the_pieces_of_a_message_its_peer_its_tag_and_about_equal_sizes) {
  ExchangeProgram exchange = three_sends();
  const CutMessages cut(exchange, 35);  // four elements fit
  const std::vector<Message> pieces{{1, 5, 2, 100, 4, 0},
                                    {1, 5, 2, 104, 3, 0},
                                    {1, 5, 2, 107, 3, 0},
                                    {3, 5, 2, 110, 0, 0},
                                    {1, 6, 2, 110, 3, 0}};
  EXPECT_EQ(exchange.sends, pieces);
  EXPECT_EQ(cut.first(Task::send, 0), 0);
  EXPECT_EQ(cut.end(Task::send, 0), 3);
  EXPECT_EQ(cut.first(Task::send, 1), 3);
  EXPECT_EQ(cut.end(Task::send, 2), 5);
}

TEST(CutMessages, has_pieces_of_one_element_where_no_more_fit) {
  ExchangeProgram exchange = three_sends();
  const CutMessages cut(exchange, 1);
  EXPECT_EQ(exchange.sends.size(), 10U + 1 + 3);
}

TEST(CutMessages, completes_a_message_with_the_last_of_its_pieces_in_every_run) {
  ExchangeProgram exchange = three_sends();
  CutMessages cut(exchange, 35);
  for (int run = 0; run < 2; ++run) {
    cut.begin();
    EXPECT_EQ(cut.complete(Task::send, 2), -1);
    EXPECT_EQ(cut.complete(Task::send, 3), 1);
    EXPECT_EQ(cut.complete(Task::send, 0), -1);
    EXPECT_EQ(cut.complete(Task::send, 4), 2);
    EXPECT_EQ(cut.complete(Task::send, 1), 0);
  }
}

TEST(CollectiveRuns, join_parts_that_touch_each_other) {
  Collective collective;
  collective.method = Collective::alltoallv;
  collective.group = {0, 1, 2, 3};
  collective.sends = {{0, 6, 2, {}}, {1, 0, 6, {}}, {2, 9, 0, {}}, {3, 10, 1, {}}};
  EXPECT_EQ(sent_runs(collective, 4), (std::vector<ByteRun>{{0, 32}, {40, 4}}));
  EXPECT_TRUE(received_runs(collective, 4).empty());
}

TEST(CollectiveRuns, have_all_slots_of_an_alltoall) {
  Collective collective;
  collective.method = Collective::alltoall;
  collective.group = {0, 1, 2};
  collective.largest_count = 5;
  collective.first_slot = 7;
  EXPECT_EQ(sent_runs(collective, 2), (std::vector<ByteRun>{{14, 30}}));
  EXPECT_EQ(received_runs(collective, 2), (std::vector<ByteRun>{{14, 30}}));
}

TEST(CollectiveRuns, have_the_rows_of_boxes_and_nothing_between_them) {
  Collective collective;
  collective.method = Collective::alltoallw;
  // Rows of 3 in an array of 5 by 4, and what completes two of them.
  collective.receives = {{0, 0, 6, {rows(1, 3, 3, 4)}}, {1, 0, 0, {}}};
  EXPECT_EQ(received_runs(collective, 1), (std::vector<ByteRun>{{4, 3}, {8, 3}}));
  Patch last = rows(1, 3, 1, 4);
  last.offset = 7;
  collective.receives[1].boxes = {last};
  EXPECT_EQ(received_runs(collective, 1), (std::vector<ByteRun>{{4, 8}}));
}

TEST(CollectiveRuns, have_the_elements_of_a_box_without_adjacent_ones) {
  Collective collective;
  collective.method = Collective::alltoallw;
  Patch column;
  column.box = {{0}, {3}};
  column.strides = {10};
  collective.sends = {{0, 0, 3, {column}}};
  EXPECT_EQ(sent_runs(collective, 2), (std::vector<ByteRun>{{0, 2}, {20, 2}, {40, 2}}));
}
