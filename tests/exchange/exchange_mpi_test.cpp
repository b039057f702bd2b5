// exchange/exchange: every exchange moves every point of random redistributions to its place,
// however they are cut and in whatever order their messages become ready.

#include "weft/exchange/exchange.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "support/carry.hpp"
#include "support/decompositions.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/memory/box_copy.hpp"

using namespace weft;
using namespace weft::test;

namespace {

enum Buffers : int { send, receive, rest, source, target, buffers };

Patches packed_array(const std::vector<Box>& boxes, int buffer) {
  Patches array;
  std::int64_t offset = 0;
  for (const Box& box : boxes) {
    array.push_back(packed_patch(box, buffer, offset));
    offset += box.volume();
  }
  return array;
}

// The machine under a test: nodes of up to three ranks, of many sizes, or all ranks in one.
Machine some_machine(Dice& dice, const Communicator& comm) {
  const int nodes = static_cast<int>(dice.between(0, 3));
  std::vector<int> sizes;
  for (int i = 0; i < nodes; ++i) sizes.push_back(static_cast<int>(dice.between(1, 3)));
  return {comm.size(), nodes_of_ranks(comm, sizes)};
}

template <class T>
T* element(const Addresses& addresses, const Patch& patch, const Dims& at) {
  return reinterpret_cast<T*>(addresses[static_cast<std::size_t>(patch.buffer)]) + patch.at(at);
}

// The value of a point in a run: what was left there by the run before is another.
template <class T>
T value_of(const Extents& extents, const Dims& point, int run) {
  return static_cast<T>(static_cast<double>(flat(extents, point)) + 1 + 5000 * run);
}

template <class T>
void store(const Addresses& addresses, const Extents& extents, const Patch& patch, int run) {
  for_each_index(patch.box, [&](const Dims& at) {
    *element<T>(addresses, patch, at) = value_of<T>(extents, at, run);
  });
}

template <class T>
int count_wrong(const Addresses& addresses, const Extents& extents, const Patch& patch, int run) {
  int wrong = 0;
  for_each_index(patch.box, [&](const Dims& at) {
    if (*element<T>(addresses, patch, at) != value_of<T>(extents, at, run)) ++wrong;
  });
  return wrong;
}

// Every point of `boxes` is in one patch, and every message has one.
void cover(const Patches& patches, int messages, const std::vector<Box>& boxes,
           const Extents& extents) {
  std::vector<int> reached(static_cast<std::size_t>(volume(extents)), 0);
  std::vector<int> parts(static_cast<std::size_t>(messages), 0);
  for (const Patch& patch : patches) {
    for_each_index(patch.box, [&](const Dims& at) { ++reached[flat(extents, at)]; });
    if (messages == 0) continue;
    ASSERT_GE(patch.message, 0);
    ASSERT_LT(patch.message, messages);
    ++parts[static_cast<std::size_t>(patch.message)];
  }
  for (const int n : parts) ASSERT_GT(n, 0);
  std::int64_t wanted = 0;
  for (const Box& box : boxes) {
    wanted += box.volume();
    for_each_index(box, [&](const Dims& at) { ASSERT_EQ(reached[flat(extents, at)], 1); });
  }
  ASSERT_EQ(std::accumulate(reached.begin(), reached.end(), std::int64_t{0}), wanted);
}

// Memory of all buffers of an exchange, seen by the node.
struct Memory {
  std::vector<NodeGroup::Window> windows;
  Addresses addresses;

  Memory(NodeGroup& team, const std::vector<std::int64_t>& bytes)
      : addresses((1 + static_cast<std::size_t>(team.size())) * buffers) {
    for (int buffer = 0; buffer < buffers; ++buffer) {
      windows.push_back(team.window(bytes[static_cast<std::size_t>(buffer)]));
      addresses[static_cast<std::size_t>(buffer)] = windows.back().of(team.me());
      for (int member = 0; member < team.size(); ++member)
        addresses[static_cast<std::size_t>((1 + member) * buffers + buffer)] =
            windows.back().of(member);
    }
  }
};

// What the ranks of a node share in it.
SharedSpec shared_by(NodeGroup& team, const Machine& machine) {
  SharedSpec shared;
  shared.team = &team;
  shared.machine = &machine;
  shared.rest_buffer = rest;
  shared.buffer_of = [&team](int rank, int buffer) {
    const int member = team.member(rank);
    return member == team.me() ? buffer : (1 + member) * buffers + buffer;
  };
  return shared;
}

void dawdle(Dice& dice) {
  if (dice.chance(3)) std::this_thread::sleep_for(std::chrono::microseconds(dice.between(1, 300)));
}

template <class T>
void moves_every_point(const ExchangeRow& row, std::uint64_t seed, std::int64_t count_limit) {
  SCOPED_TRACE(fmt::format("{} seed {}", row.name, seed));
  const Communicator comm(MPI_COMM_WORLD);
  Dice dice(seed);
  const Machine machine = some_machine(dice, comm);
  if (row.applies({}, machine)) return;
  NodeGroup team(comm, machine.node_of_rank);
  const Extents extents = random_extents(dice, 2000);
  const Decomposition from = random_decomposition(dice, extents, comm.size());
  const Decomposition to = random_decomposition(dice, extents, comm.size());
  const Redistribution moves(from, to, dice.chance(30) ? Cutting{} : random_cutting(dice, extents));
  ExchangeSpec spec{&comm, moves, sizeof(T), send, receive, {}, {}, {}, count_limit};
  const auto array = [&](int rank, int buffer) {
    const Decomposition& at = buffer == source ? moves.source() : moves.target();
    return packed_array(at.boxes(rank), spec.shared.buffer_of(rank, buffer));
  };
  spec.shared = shared_by(team, machine);
  const bool arrays = row.moves_arrays || (row.shares_memory && machine.nodes() == 1);
  const bool from_array = arrays && dice.chance(40);
  const bool to_array = arrays && dice.chance(40);
  if (from_array) spec.source_array = array(comm.rank(), source);
  if (to_array) spec.target_array = array(comm.rank(), target);
  // What rests in a node may rest in arrays of either side.
  const int rests_in = from_array ? source
                       : to_array ? target
                                  : dice.pick<int>({rest, source, target});
  if (rests_in != rest) spec.shared.rest = [&](int rank) { return array(rank, rests_in); };
  spec.shared.rests_with_taker = rests_in == target;
  // Nobody writes to the source while others load from it, nor to the target while it is looked at.
  spec.shared.closes = from_array || dice.chance(50);
  spec.shared.opens = to_array || dice.chance(50);
  // Loaded straight from the source, stored straight to the target: that takes a copy between.
  if (from_array && to_array && row.shares_memory) return;
  auto exchange = row.make(spec);
  ASSERT_EQ(exchange->outgoing().empty(), from_array || from.volume(comm.rank()) == 0);
  cover(from_array ? *spec.source_array : exchange->outgoing(), exchange->outgoing_messages(),
        from.boxes(comm.rank()), extents);
  cover(exchange->incoming(), exchange->incoming_messages(), to.boxes(comm.rank()), extents);

  constexpr std::int64_t bytes = sizeof(T);
  Memory memory(team, {exchange->send_elements() * bytes, exchange->receive_elements() * bytes,
                       exchange->rest_elements() * bytes, from.volume(comm.rank()) * bytes,
                       to.volume(comm.rank()) * bytes});
  const Addresses& addresses = memory.addresses;
  Dice mine(1000 * seed + static_cast<std::uint64_t>(comm.rank()));
  for (int run = 0; run < 4; ++run) {
    if (from_array)
      for (const Patch& patch : *spec.source_array) store<T>(addresses, extents, patch, run);
    exchange->start(addresses);
    carry_until_open(*exchange);
    // A message that has come is there, whatever others are not ready.
    std::vector<int> came(static_cast<std::size_t>(exchange->incoming_messages()), 0);
    std::size_t seen = 0;
    const auto see = [&] {
      for (; seen < exchange->arrivals().size(); ++seen) {
        const int message = exchange->arrivals()[seen];
        ASSERT_EQ(++came[static_cast<std::size_t>(message)], 1);
        for (const Patch& patch : exchange->incoming()) {
          if (patch.message != message) continue;
          ASSERT_EQ(count_wrong<T>(addresses, extents, patch, run), 0) << "message " << message;
        }
      }
    };
    std::vector<int> order(static_cast<std::size_t>(exchange->outgoing_messages()));
    std::iota(order.begin(), order.end(), 0);
    mine.shuffle(order);
    for (const int message : order) {
      dawdle(mine);
      for (const Patch& patch : exchange->outgoing())
        if (patch.message == message) store<T>(addresses, extents, patch, run);
      ASSERT_FALSE(exchange->has_finished());
      exchange->ready(message);
      if (mine.chance(50)) exchange->progress();
      ASSERT_NO_FATAL_FAILURE(see());
    }
    while (seen < came.size()) {
      carry_until(*exchange, [&] { return exchange->arrivals().size() > seen; });
      ASSERT_NO_FATAL_FAILURE(see());
    }
    dawdle(mine);
    carry_to_end(*exchange);
    ASSERT_EQ(exchange->arrivals().size(), came.size());
    if (!to_array) continue;
    for (const Patch& patch : exchange->incoming())
      ASSERT_EQ(count_wrong<T>(addresses, extents, patch, run), 0);
  }
  comm.barrier();  // the windows go
}

}  // namespace

TEST(EveryExchange, moves_every_point_of_random_redistributions) {
  for (const ExchangeRow& row : exchanges())
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      moves_every_point<float>(row, seed, INT32_MAX);
      moves_every_point<double>(row, 100 + seed, INT32_MAX);
      moves_every_point<std::complex<double>>(row, 200 + seed, INT32_MAX);
    }
}

// What happens beyond 2^31 elements, brought about by a limit of 5.
TEST(EveryExchange, cuts_messages_beyond_the_largest_count) {
  for (const ExchangeRow& row : exchanges())
    for (std::uint64_t seed = 1; seed <= 15; ++seed) moves_every_point<float>(row, seed, 5);
}

// Messages of the second are ready before those of the first; they must not be taken for them.
TEST(EveryExchange, runs_beside_another) {
  const Communicator comm(MPI_COMM_WORLD);
  const int ranks = comm.size();
  const Machine machine{ranks, nodes_of_ranks(comm, {2})};
  NodeGroup team(comm, machine.node_of_rank);
  const Extents extents{ranks, 4 * ranks};
  const Redistribution moves(Decomposition::on_grid(extents, {{ranks, 1}}, ranks),
                             Decomposition::on_grid(extents, {{1, ranks}}, ranks), {1, 1, 1, 2});
  for (const ExchangeRow& row : exchanges()) {
    SCOPED_TRACE(row.name);
    if (row.applies({}, machine)) continue;
    std::vector<std::unique_ptr<Exchange>> two;
    std::vector<Memory> memories;
    for (int i = 0; i < 2; ++i) {
      ExchangeSpec spec{&comm, moves, 8, send, receive, {}, {}, {}};
      spec.shared = shared_by(team, machine);
      spec.first_tag = i * moves.cutting().cells();
      two.push_back(row.make(spec));
      memories.emplace_back(team, std::vector<std::int64_t>{8 * two.back()->send_elements(),
                                                            8 * two.back()->receive_elements(),
                                                            8 * two.back()->rest_elements(), 0, 0});
    }
    for (int run = 0; run < 3; ++run) {
      for (std::size_t i : {0U, 1U}) two[i]->start(memories[i].addresses);
      for (std::size_t i : {1U, 0U}) {
        carry_until_open(*two[i]);
        for (const Patch& patch : two[i]->outgoing())
          store<double>(memories[i].addresses, extents, patch, 2 * run + static_cast<int>(i));
        for (int m = 0; m < two[i]->outgoing_messages(); ++m) two[i]->ready(m);
        two[i]->progress();
      }
      for (std::size_t i : {0U, 1U}) {
        carry_in(*two[i]);
        for (const Patch& patch : two[i]->incoming())
          EXPECT_EQ(count_wrong<double>(memories[i].addresses, extents, patch,
                                        2 * run + static_cast<int>(i)),
                    0);
        carry_to_end(*two[i]);
      }
    }
    comm.barrier();  // the windows go
  }
}

// A rank that waits for others of its node hears that one of them has failed.
TEST(EveryExchange, that_shares_memory_ends_when_a_member_fails) {
  const Communicator comm(MPI_COMM_WORLD);
  const int ranks = comm.size();
  if (ranks == 1) return;
  const Machine machine{ranks, std::vector<int>(static_cast<std::size_t>(ranks), 0)};
  NodeGroup team(comm, machine.node_of_rank);
  const Extents extents{ranks, ranks};
  const Redistribution moves(Decomposition::on_grid(extents, {{ranks, 1}}, ranks),
                             Decomposition::on_grid(extents, {{1, ranks}}, ranks));
  ExchangeSpec spec{&comm, moves, 8, send, receive, {}, {}, {}};
  spec.shared = shared_by(team, machine);
  auto exchange = shared_row().make(spec);
  Memory memory(team, {0, 0, 8 * exchange->rest_elements(), 0, 0});
  exchange->start(memory.addresses);
  carry_until_open(*exchange);
  if (comm.rank() == ranks - 1) {
    team.fail("the last rank has had enough");
  } else {
    exchange->ready(0);
    try {
      carry_in(*exchange);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "the last rank has had enough");
    }
  }
  comm.barrier();  // the windows go
}

TEST(EveryExchange, tells_what_it_sends) {
  const Communicator comm(MPI_COMM_WORLD);
  const int ranks = comm.size();
  const Extents extents{12 * ranks, 7, 12 * ranks};
  const Redistribution moves(Decomposition::on_grid(extents, {{ranks, 1, 1}}, ranks),
                             Decomposition::on_grid(extents, {{1, 1, ranks}}, ranks));
  for (const ExchangeRow& row : exchanges()) {
    if (row.shares_memory) continue;
    const auto exchange = row.make({&comm, moves, 8, send, receive, {}, {}, {}, INT32_MAX});
    EXPECT_EQ(static_cast<int>(exchange->sent().size()), ranks - 1) << row.name;
    for (const auto& sent : exchange->sent()) EXPECT_EQ(sent.bytes, 12 * 7 * 12 * 8) << row.name;
  }
}

TEST(Exchange, an_unknown_one_is_refused_with_those_there_are) {
  try {
    find_exchange("pigeon", Problem{}, Machine{});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "weft: there is no exchange 'pigeon'\n"
                 "  try:   one of: shared, node, p2p, alltoallv, alltoall, alltoallw");
  }
}
