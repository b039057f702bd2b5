// exchange/exchange: every exchange moves every point of random redistributions to its place.

#include "weft/exchange/exchange.hpp"

#include <gtest/gtest.h>

#include <cstring>

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

template <class T>
void moves_every_point(const ExchangeRow& row, std::uint64_t seed, std::int64_t count_limit) {
  const Communicator comm(MPI_COMM_WORLD);
  Dice dice(seed);
  const Machine machine = some_machine(dice, comm);
  if (row.applies({}, machine)) return;
  Team team(comm, machine.node_of_rank);
  const Extents extents = random_extents(dice, 2000);
  const Redistribution moves(random_decomposition(dice, extents, comm.size()),
                             random_decomposition(dice, extents, comm.size()));
  ExchangeSpec spec{&comm, moves, sizeof(T), send, receive, {}, {}, {}, count_limit};
  const auto array = [&](int rank, int buffer) {
    const Decomposition& at = buffer == source ? moves.source() : moves.target();
    return packed_array(at.boxes(rank), spec.shared.buffer_of(rank, buffer));
  };
  spec.shared.team = &team;
  spec.shared.machine = &machine;
  spec.shared.rest_buffer = rest;
  spec.shared.buffer_of = [&](int rank, int buffer) {
    return rank == comm.rank() ? buffer : (1 + team.member(rank)) * buffers + buffer;
  };
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
  // Loaded straight from the source, stored straight to the target: that takes a copy between.
  if (from_array && to_array && row.shares_memory) return;
  auto exchange = row.make(spec);

  const std::int64_t elements[buffers] = {
      exchange->send_elements(), exchange->receive_elements(), exchange->rest_elements(),
      moves.source().volume(comm.rank()), moves.target().volume(comm.rank())};
  std::vector<Team::Window> windows;
  Addresses addresses((1 + static_cast<std::size_t>(team.size())) * buffers);
  for (int buffer = 0; buffer < buffers; ++buffer) {
    windows.push_back(team.window(elements[buffer] * static_cast<std::int64_t>(sizeof(T))));
    addresses[static_cast<std::size_t>(buffer)] = windows.back().of(team.me());
    for (int member = 0; member < team.size(); ++member)
      addresses[static_cast<std::size_t>((1 + member) * buffers + buffer)] =
          windows.back().of(member);
  }

  for (int run = 0; run < 2; ++run) {
    for (int buffer = 0; buffer < buffers; ++buffer)
      if (elements[buffer] > 0)
        std::memset(addresses[static_cast<std::size_t>(buffer)], 0,
                    static_cast<std::size_t>(elements[buffer]) * sizeof(T));
    team.barrier();  // nobody stores into what another still clears
    exchange->start(addresses);
    for (const Patch& patch : from_array ? *spec.source_array : exchange->outgoing())
      for_each_index(patch.box, [&](const Dims& at) {
        *element<T>(addresses, patch, at) = static_cast<T>(flat(extents, at) + 1);
      });
    if (!from_array)
      for (int m = exchange->outgoing_messages() - 1; m >= 0; m -= 2) exchange->ready(m);
    exchange->flush();
    for (int m = exchange->incoming_messages() - 1; m >= 0; --m) exchange->await(m);
    std::vector<int> reached(static_cast<std::size_t>(volume(extents)), 0);
    for (const Patch& patch : exchange->incoming())
      for_each_index(patch.box, [&](const Dims& at) {
        ++reached[flat(extents, at)];
        ASSERT_EQ(*element<T>(addresses, patch, at), static_cast<T>(flat(extents, at) + 1))
            << row.name << " seed " << seed;
      });
    for (const Box& box : moves.target().boxes(comm.rank()))
      for_each_index(box, [&](const Dims& at) { ASSERT_EQ(reached[flat(extents, at)], 1); });
    exchange->finish();
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
