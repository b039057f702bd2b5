// proof/check: small correct programs are proved, and every fault that is put into them is found.

#include "weft/proof/check.hpp"

#include <gmock/gmock.h>

#include "proof/check_programs.hpp"
#include "weft/proof/mutations.hpp"

namespace weft {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> found(const ProgramSet& set) {
  std::vector<std::string> texts;
  for (const Hazard& hazard : check(set, {.most_hazards = 100})) texts.push_back(hazard.text);
  return texts;
}

Task& task(ProgramSet& set, int rank, int number) {
  return set.forward[static_cast<std::size_t>(rank)].tasks[static_cast<std::size_t>(number)];
}
ExchangeProgram& exchange(ProgramSet& set, int rank) {
  return set.forward[static_cast<std::size_t>(rank)].exchanges.front();
}
PassSpec& pass(ProgramSet& set, int rank, std::size_t sweep) {
  return set.forward[static_cast<std::size_t>(rank)].sweeps[sweep].passes.front().spec;
}

}  // namespace

TEST(Check, proves_what_is_sent_and_received) { EXPECT_THAT(found(SendReceive::set()), IsEmpty()); }

TEST(Check, proves_what_is_shared) { EXPECT_THAT(found(SharedMemory::set(0)), IsEmpty()); }

TEST(Check, tells_every_kind_of_wait_that_is_removed) {
  for (const ProgramSet& set : {SendReceive::set(), SharedMemory::set(0), Slots::set()})
    for (const WaitKind& kind : wait_kinds(set)) {
      // To ask for a signal sooner than one raises it changes nothing.
      if (kind == WaitKind{Why::begun, false, {}, 0}) continue;
      EXPECT_THAT(found(without(set, kind)), Not(IsEmpty())) << to_string(kind);
    }
}

TEST(Check, knows_the_kinds_of_waits) {
  std::vector<std::string> kinds;
  for (const WaitKind& kind : wait_kinds(SharedMemory::set(1))) kinds.push_back(to_string(kind));
  EXPECT_THAT(kinds,
              testing::UnorderedElementsAre("loaded", "stored", "begun", "counted",
                                            "await of stored", "await of loaded, 1 run before"));
}

TEST(Check, tells_a_send_that_does_not_wait_for_what_it_sends) {
  ProgramSet set = SendReceive::set();
  task(set, 0, SendReceive::sent).waits.clear();
  EXPECT_THAT(found(set),
              Contains("rank 0, run 1 (forward), step 0 (pass 0): item 0 of tiles 0 to 1 writes "
                       "bytes [0,64) of the workspace of rank 0, which rank 0, run 1 (forward), "
                       "step 1 (exchange 0: p2p): send 0 to rank 1, tag 7 reads: neither waits for "
                       "the other"));
}

TEST(Check, tells_a_load_that_does_not_wait_for_its_message) {
  ProgramSet set = SendReceive::set();
  task(set, 1, SendReceive::loaded).waits.clear();
  EXPECT_THAT(
      found(set),
      Contains("rank 1, run 1 (forward), step 1 (exchange 0: p2p): receive 0 from rank 0, "
               "tag 7 writes bytes [64,128) of the workspace of rank 1, which rank 1, run 1 "
               "(forward), step 2 (pass 1): item 0 of tile 0 reads: neither waits for the "
               "other"));
}

TEST(Check, tells_a_stored_message_that_does_not_wait_for_an_item) {
  ProgramSet set = SendReceive::set();
  task(set, 0, SendReceive::is_stored).waits.clear();
  EXPECT_THAT(found(set), Contains("rank 0 (forward), step 1 (exchange 0: p2p): outgoing message 0 "
                                   "is stored: does not wait for step 0 (pass 0): item 0 of tiles "
                                   "0 to 1, which stores to it"));
}

// Two messages of one item: the first is sent as soon as its own tile is done.
TEST(Check, knows_that_a_message_is_stored_before_its_item_is_complete) {
  ProgramSet set = SendReceive::set();
  for (int rank = 0; rank < 2; ++rank) {
    const std::int64_t first = 4 * rank, other = 4 - first;
    pass(set, rank, 0).target = {packed_patch(points(first, first + 2), 2, 0, 0),
                                 packed_patch(points(first + 2, first + 4), 2, 2, 1)};
    pass(set, rank, 1).source = {packed_patch(points(other, other + 2), 3, 0, 0),
                                 packed_patch(points(other + 2, other + 4), 3, 2, 1)};
    exchange(set, rank).sends = {{1 - rank, 7, 2, 0, 2, 0}, {1 - rank, 8, 2, 2, 2, 1}};
    exchange(set, rank).receives = {{1 - rank, 7, 3, 0, 2, 0}, {1 - rank, 8, 3, 2, 2, 1}};
    Sketch sketch(rank, 4, 8);
    sketch.program = set.forward[static_cast<std::size_t>(rank)];
    const int stored =
        sketch.add_task(Task::stored, 1, 1, {{SendReceive::computed, Why::stored, true}});
    sketch.add_task(Task::send, 1, 1, {{stored, Why::stored}});
    const int received = sketch.add_task(Task::receive, 1, 1);
    const int arrived = sketch.add_arrived(1, 1, {{received, Why::arrived}});
    sketch.program.tasks[SendReceive::loaded].waits.push_back({arrived, Why::arrived});
    set.forward[static_cast<std::size_t>(rank)] = sketch.program;
  }
  EXPECT_THAT(found(set), IsEmpty());
  // The second is not stored when the first is.
  task(set, 0, 7).waits = {{SendReceive::is_stored, Why::stored}};
  EXPECT_THAT(found(set), Contains(AllOf(HasSubstr("item 0 of tiles 0 to 1 writes bytes [32,64)"),
                                         HasSubstr("send 1 to rank 1, tag 8 reads"))));
}

TEST(Check, tells_messages_without_their_other_side) {
  ProgramSet set = SendReceive::set();
  exchange(set, 1).receives[0].tag = 9;
  EXPECT_THAT(found(set), testing::ElementsAre(
                              "rank 0 (forward), step 1 (exchange 0: p2p): send 0 to rank 1, "
                              "tag 7: rank 1 has no such receive",
                              "rank 1 (forward), step 1 (exchange 0: p2p): receive 0 from rank "
                              "0, tag 9: rank 0 has no such send"));
}

TEST(Check, tells_messages_of_different_sizes) {
  ProgramSet set = SendReceive::set();
  exchange(set, 1).receives[0].count = 3;
  EXPECT_THAT(found(set), Contains("rank 0 (forward), step 1 (exchange 0: p2p): send 0 to rank 1, "
                                   "tag 7 has 64 bytes, but rank 1 receives 48"));
}

TEST(Check, tells_a_tag_that_is_used_twice) {
  ProgramSet set = SendReceive::set();
  for (int rank = 0; rank < 2; ++rank) {
    auto& tasks = set.forward[static_cast<std::size_t>(rank)].tasks;
    exchange(set, rank).sends.push_back(exchange(set, rank).sends[0]);
    exchange(set, rank).receives.push_back(exchange(set, rank).receives[0]);
    for (const int number : {SendReceive::sent, SendReceive::received}) {
      tasks.push_back(tasks[static_cast<std::size_t>(number)]);
      tasks.back().index = 1;
    }
  }
  EXPECT_THAT(found(set),
              Contains(HasSubstr("rank 0 has more than one message with rank 1 and this "
                                 "tag")));
}

TEST(Check, tells_tasks_that_wait_for_each_other) {
  ProgramSet set = SendReceive::set();
  task(set, 0, SendReceive::sent).waits.push_back({SendReceive::has_arrived, Why::in_turn});
  EXPECT_THAT(found(set), IsEmpty()) << "rank 1 sends first";
  task(set, 1, SendReceive::sent).waits.push_back({SendReceive::has_arrived, Why::in_turn});
  const auto hazards = check(set);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, Hazard::deadlock);
  for (const char* rank : {"rank 0", "rank 1"})
    EXPECT_THAT(hazards[0].text, AllOf(HasSubstr(rank), HasSubstr("waits for the first of these"),
                                       Not(HasSubstr("holds messages back"))));
}

TEST(Check, tells_a_deadlock_if_mpi_sends_only_what_is_received) {
  ProgramSet set = SendReceive::set();
  for (int rank = 0; rank < 2; ++rank)
    task(set, rank, SendReceive::received).waits = {{SendReceive::sent, Why::in_turn}};
  EXPECT_THAT(found(set),
              Contains(AllOf(HasSubstr("send 0 to rank"), HasSubstr("receive 0 from rank"),
                             HasSubstr("holds messages back until they are received"))));
}

// Rank 0 sends two messages; rank 1 posts the second receive when the first message has come.
TEST(Check, tells_a_deadlock_if_sends_are_limited_and_leave_in_another_order) {
  ProgramSet set = SendReceive::set();
  set.backward.clear();
  const auto halve = [](std::vector<Message>& messages) {
    messages[0].count = 2;
    messages.push_back(messages[0]);
    messages[1].offset = 2;
    messages[1].tag = 8;
  };
  halve(exchange(set, 0).sends);
  halve(exchange(set, 1).receives);
  set.forward[0].tasks.push_back(task(set, 0, SendReceive::sent));
  set.forward[0].tasks.back().index = 1;
  set.forward[1].tasks.push_back(task(set, 1, SendReceive::received));
  set.forward[1].tasks.back().index = 1;
  set.forward[1].tasks.back().waits = {{SendReceive::received, Why::in_turn}};
  task(set, 1, SendReceive::loaded).waits.push_back({6, Why::arrived});
  EXPECT_THAT(found(set), IsEmpty());
  exchange(set, 0).send_limit = ExchangeProgram::SendLimit::of_all;
  EXPECT_THAT(found(set), Contains(HasSubstr("the limit of sends, holds messages back")));
}

// Rank 1 sends its first message when the second of the other has come.
TEST(Check, tells_a_deadlock_if_groups_start_in_the_order_of_cells) {
  ProgramSet set = SendReceive::set();
  set.backward.clear();
  for (int rank = 0; rank < 2; ++rank) {
    set.forward[static_cast<std::size_t>(rank)].may_group = true;
    for (auto* messages : {&exchange(set, rank).sends, &exchange(set, rank).receives}) {
      messages->front().count = 2;
      messages->push_back(messages->front());
      messages->back().offset = 2;
      messages->back().tag = 8;
      messages->back().cell = 1;
    }
    for (const auto of : {SendReceive::sent, SendReceive::received}) {
      const Task copied = task(set, rank, of);
      set.forward[static_cast<std::size_t>(rank)].tasks.push_back(copied);
    }
    task(set, rank, 6).index = task(set, rank, 7).index = 1;
    task(set, rank, SendReceive::loaded).waits.push_back({7, Why::arrived});
  }
  EXPECT_THAT(found(set), IsEmpty());
  task(set, 1, SendReceive::sent).waits.push_back({7, Why::in_turn});
  EXPECT_THAT(found(set), Contains(HasSubstr("the order of groups or the limit of sends")));
  for (Program& program : set.forward) program.may_group = false;
  EXPECT_THAT(found(set), IsEmpty());
}

// Rank 2 is in two groups. The first waits for rank 1, which sends when rank 0 has ended the
// second.
TEST(Check, tells_a_deadlock_if_a_group_waits_for_the_one_before_on_another_rank) {
  ProgramSet set;
  set.node_of_rank = {0, 0, 1};
  for (int rank = 0; rank < 3; ++rank) {
    Sketch sketch(rank, 4, 8);
    const int sent = sketch.add_buffer(rank, 2, Home::workspace, 0, 4);
    const int received = sketch.add_buffer(rank, 3, Home::workspace, 4, 4);
    const auto message = [](int peer, int buffer, int cell) {
      return Message{peer, cell, buffer, 2 * cell, 2, cell};
    };
    ExchangeProgram exchange;
    for (const int cell : {0, 1}) {
      const int peer = rank < 2 ? 2 : 1 - cell;
      if (rank < 2 && cell == rank) continue;
      exchange.sends.push_back(message(peer, sent, cell));
      exchange.receives.push_back(message(peer, received, cell));
    }
    sketch.program.may_group = true;
    sketch.program.signals = {{"come", rank < 2 ? 1 : 0}};
    const Box mine = points(4 * rank, 4 * rank + 4);
    Patches stored;
    for (int i = 0; i < static_cast<int>(exchange.sends.size()); ++i) {
      const Message& send = exchange.sends[static_cast<std::size_t>(i)];
      stored.push_back(packed_patch(points(mine.lo[0] + send.offset, mine.lo[0] + send.offset + 2),
                                    sent, send.offset, i));
    }
    sketch.add_sweep({mine}, {packed_patch(mine, 0, 0)}, stored);
    sketch.add_exchange(exchange, "p2p");
    const int computed = sketch.add_task(Task::compute, 0, 0);
    std::vector<Wait> waits;
    if (rank == 1) waits.push_back({sketch.add_task(Task::await, 1, 0), Why::in_turn});
    for (int i = 0; i < static_cast<int>(exchange.sends.size()); ++i) {
      const int is_stored = sketch.add_task(Task::stored, 1, i, {{computed, Why::stored, true}});
      waits.push_back({is_stored, Why::stored});
      sketch.add_task(Task::send, 1, i, waits);
      waits.pop_back();
      const int has_come = sketch.add_task(Task::receive, 1, i);
      if (rank == 0) sketch.add_task(Task::raise, 1, 0, {{has_come, Why::in_turn}});
    }
    set.forward.push_back(sketch.program);
  }
  EXPECT_THAT(found(set), Contains(HasSubstr("waits for the first of these")));
  for (Program& program : set.forward) program.may_group = false;
  EXPECT_THAT(found(set), IsEmpty());
}

TEST(Check, tells_a_message_of_different_cells) {
  ProgramSet set = SendReceive::set();
  exchange(set, 1).receives[0].cell = 2;
  EXPECT_THAT(found(set), Contains(HasSubstr("send 0 to rank 1, tag 7 is of cell 0, but rank 1 "
                                             "receives it in cell 2")));
}

TEST(Check, tells_a_signal_that_is_raised_too_seldom) {
  ProgramSet set = SharedMemory::set(0);
  task(set, 1, SharedMemory::raise_loaded).kind = Task::milestone;
  EXPECT_THAT(found(set), testing::ElementsAre("rank 0 (forward): signal 1 (loaded) is raised by 1 "
                                               "ranks of its node, instead of 2"));
}

// A lag counts the runs of one direction: forward runs that follow each other are safe, a backward
// run overwrites what others have not loaded yet.
TEST(Check, knows_what_a_lag_orders) {
  ProgramSet set = SharedMemory::set(1);
  EXPECT_THAT(found(set),
              Contains("rank 1, run 2 (forward), step 1 (pass 1): item 0 of tile 0 reads bytes "
                       "[0,64) of the workspace of rank 0, which rank 0, run 3 (backward), step 0 "
                       "(pass 0): item 0 of tile 0 writes: neither waits for the other"));
  set.backward.clear();
  EXPECT_THAT(found(set), IsEmpty());
  set = SharedMemory::set(2);
  set.backward.clear();
  EXPECT_THAT(found(set), Contains(AllOf(HasSubstr("rank 1, run 1 (forward), step 1"),
                                         HasSubstr("rank 0, run 2 (forward), step 0"))));
}

TEST(Check, tells_runs_whose_signals_mix) {
  ProgramSet set = SharedMemory::set(0);
  for (int rank = 0; rank < 2; ++rank)
    task(set, rank, SharedMemory::await_loaded).kind = Task::milestone;
  EXPECT_THAT(found(set), Not(Contains(HasSubstr("signal mixed"))))
      << "both have begun a run when one has loaded in it";
  for (int rank = 0; rank < 2; ++rank)
    task(set, rank, SharedMemory::await_stored).kind = Task::milestone;
  EXPECT_THAT(
      found(set),
      Contains("signal mixed: rank 1, run 2 (forward), step 1 (pass 1): raise of signal 1 "
               "(loaded) may come before rank 0, run 1 (forward), step 1 (pass 1): raise of "
               "signal 1 (loaded)"));
}

TEST(Check, tells_what_another_rank_does_with_an_array_outside_of_the_run) {
  ProgramSet set = SharedMemory::set(0);
  for (int rank = 0; rank < 2; ++rank)
    set.forward[static_cast<std::size_t>(rank)].buffers[3] =
        set.forward[static_cast<std::size_t>(1 - rank)].buffers[0];
  pass(set, 0, 0).target.front().offset = 0;
  EXPECT_THAT(found(set), IsEmpty()) << "signals say that the run has begun";
  task(set, 0, SharedMemory::await_stored).kind = Task::milestone;
  EXPECT_THAT(found(set),
              Contains("rank 0, run 1 (forward), step 1 (pass 1): item 0 of tile 0 reads "
                       "bytes [0,64) of the input array of rank 1, which the user of rank "
                       "1 may write before run 1: it does not wait until that rank has "
                       "begun the run"));
  set = SharedMemory::set(0);
  set.forward[0].buffers[3] = set.forward[1].buffers[0];
  task(set, 1, SharedMemory::await_loaded).kind = Task::milestone;
  EXPECT_THAT(found(set),
              Contains(AllOf(HasSubstr("which the user of rank 1 may write after run 1"),
                             HasSubstr("that rank does not wait for it"))));
}

// Both ranks load all of the other's array, and store the result over their own.
TEST(Check, tells_a_write_in_place_over_what_another_has_not_read) {
  ProgramSet set = SharedMemory::set(0);
  set.in_place = true;
  for (auto* programs : {&set.forward, &set.backward})
    for (std::size_t rank = 0; rank < 2; ++rank)
      (*programs)[rank].buffers[3] = (*programs)[1 - rank].buffers[0];
  EXPECT_THAT(found(set), Contains(AllOf(HasSubstr("step 1 (pass 1): item 0 of tile 0 writes bytes "
                                                   "[0,64) of the array of rank"),
                                         HasSubstr("neither waits for the other"))));
}

TEST(Check, tells_a_read_of_what_nobody_wrote) {
  ProgramSet set = SharedMemory::set(0);
  pass(set, 1, 0).target.front().box = points(0, 3);
  EXPECT_THAT(found(set),
              Contains("rank 0, run 1 (forward), step 1 (pass 1): item 0 of tile 0 reads "
                       "bytes [48,64) of the workspace of rank 1, which nothing has "
                       "written before in this run"));
}

TEST(Check, tells_grains_of_an_item_that_touch_the_same_bytes) {
  ProgramSet set = SendReceive::set();
  auto& tiles = set.forward[0].sweeps[0].passes[0].tiles;
  tiles[1].real = tiles[1].spectral = points(1, 4);
  EXPECT_THAT(
      found(set),
      Contains("rank 0 (forward), step 0 (pass 0): item 0 of tiles 0 to 1: two of its grains, "
               "which may run at the same time, touch bytes [16,32) of the workspace of rank "
               "0, and one of them writes"));
}

TEST(Check, tells_items_of_a_rank_that_touch_the_same_bytes) {
  ProgramSet set = SharedMemory::set(0);
  auto& sweep = set.forward[0].sweeps[0];
  sweep.passes[0].tiles = {{points(0, 2), points(0, 2), 0}, {points(1, 4), points(1, 4), 0}};
  sweep.passes[0].first_tiles = {0, 2};
  sweep.order = {0, 1};
  sweep.items = {{0, 1, {}, Feeds::nobody}, {1, 2, {}, Feeds::nobody}};
  set.forward[0].tasks.push_back(task(set, 0, SharedMemory::computed));
  set.forward[0].tasks.back().index = 1;
  task(set, 0, SharedMemory::raise_stored).waits.push_back({6, Why::stored});
  EXPECT_THAT(found(set), Contains(AllOf(HasSubstr("item 0 of tile 0 writes bytes [16,32)"),
                                         HasSubstr("item 1 of tile 1 writes"))));
  task(set, 0, 6).waits = {{SharedMemory::computed, Why::in_turn}};
  EXPECT_THAT(found(set), IsEmpty());
}

TEST(Check, proves_slots_of_an_alltoall_and_tells_a_load_of_their_padding) {
  ProgramSet set = Slots::set();
  EXPECT_THAT(found(set), IsEmpty());
  // Rank 0 receives 2 points into a slot of 3.
  pass(set, 0, 1).source.front().box = points(0, 3);
  pass(set, 0, 1).target.front().box = points(0, 3);
  set.forward[0].sweeps[1].passes[0].tiles[0] = {points(0, 3), points(0, 3), 0};
  EXPECT_THAT(found(set),
              Contains(HasSubstr("reads bytes [176,192) of the workspace of rank 0, which "
                                 "nothing has written before in this run")));
}

TEST(Check, tells_a_store_into_the_padding_of_a_collective_under_way) {
  ProgramSet set = Slots::set();
  // The padding of the slot that rank 0 receives: its last pass stores there and waits for nothing.
  pass(set, 0, 1).source = {packed_patch(points(0, 1), 0, 0)};
  pass(set, 0, 1).target = {packed_patch(points(0, 1), 3, 5)};
  set.forward[0].sweeps[1].passes[0].tiles[0] = {points(0, 1), points(0, 1), 0};
  task(set, 0, Slots::loaded).waits.clear();
  EXPECT_THAT(found(set),
              Contains(AllOf(HasSubstr("collective 0 of 2 ranks writes as padding bytes [176,192)"),
                             HasSubstr("item 0 of tile 0 writes"))));
}

TEST(Check, tells_collectives_that_differ) {
  ProgramSet set = Slots::set();
  exchange(set, 1).collectives[0].receives[0].count = 2;
  EXPECT_THAT(found(set), Contains(HasSubstr("receives 2 elements from rank 0, which sends 3")));
  set = Slots::set();
  exchange(set, 1).collectives[0].largest_count = 2;
  EXPECT_THAT(found(set), Contains(HasSubstr("has another group, method or size on rank 0")));
}

TEST(Check, tells_collectives_that_may_start_in_another_order) {
  ProgramSet set = Slots::set();
  for (int rank = 0; rank < 2; ++rank) {
    auto& collectives = exchange(set, rank).collectives;
    collectives.push_back(collectives[0]);
    collectives[1].sends.clear();
    collectives[1].receives.clear();
    collectives[1].largest_count = 0;
    set.forward[static_cast<std::size_t>(rank)].tasks.push_back(task(set, rank, Slots::collected));
    set.forward[static_cast<std::size_t>(rank)].tasks.back().index = 1;
  }
  EXPECT_THAT(found(set),
              Contains("rank 0 (forward), step 1 (exchange 0: alltoall): collective 1 of 2 "
                       "ranks may start before the collective of the number before"));
  for (int rank = 0; rank < 2; ++rank)
    task(set, rank, 5).waits.push_back({Slots::collected, Why::ordered, true});
  EXPECT_THAT(found(set), IsEmpty());
}

TEST(Check, tells_work_that_no_task_does) {
  ProgramSet set = SendReceive::set();
  set.forward[0].sweeps[0].items = {{0, 1, {}, Feeds::nobody}, {1, 2, {}, Feeds::nobody}};
  EXPECT_THAT(found(set),
              Contains("rank 0 (forward): step 0 (pass 0): 0 tasks do item 1, instead of "
                       "one"));
}

TEST(Check, tells_numbers_that_name_nothing) {
  ProgramSet set = SendReceive::set();
  task(set, 0, SendReceive::loaded).index = 3;
  EXPECT_THAT(found(set),
              Contains("rank 0 (forward): task 5 is of number 3, which its step lacks"));
  set = SendReceive::set();
  task(set, 1, SendReceive::sent).waits[0].task = 17;
  EXPECT_THAT(found(set), Contains("rank 1 (forward): task 3 waits for task 17"));
}

TEST(Check, tells_an_access_beyond_a_buffer) {
  ProgramSet set = SendReceive::set();
  pass(set, 0, 0).target.front().offset = 1;
  EXPECT_THAT(found(set),
              Contains(HasSubstr("reaches bytes [48,80) of buffer 2, which has 64 bytes")));
}

TEST(Check, tells_no_more_hazards_than_asked_for) {
  ProgramSet set = SendReceive::set();
  for (int rank = 0; rank < 2; ++rank) task(set, rank, SendReceive::loaded).waits.clear();
  EXPECT_GT(check(set).size(), 1u);
  EXPECT_EQ(check(set, {.most_hazards = 1}).size(), 1u);
}

}  // namespace weft
