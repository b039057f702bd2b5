// exchange/exchange: every exchange moves every point of random redistributions to its place.

#include "weft/exchange/exchange.hpp"

#include <gtest/gtest.h>

#include "support/decompositions.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/memory/box_copy.hpp"

using namespace weft;
using namespace weft::test;

namespace {

constexpr int send = 0, receive = 1, source = 2, target = 3;

Patches packed_array(const std::vector<Box>& boxes, int buffer) {
  Patches array;
  std::int64_t offset = 0;
  for (const Box& box : boxes) {
    array.push_back(packed_patch(box, buffer, offset));
    offset += box.volume();
  }
  return array;
}

// Every element holds the flat index of its point plus one; 0 is nobody's.
template <class T>
void fill(const Patches& patches, const Extents& extents, std::vector<std::vector<T>>& buffers) {
  for (const Patch& patch : patches)
    for_each_index(patch.box, [&](const Dims& at) {
      buffers[static_cast<std::size_t>(patch.buffer)][static_cast<std::size_t>(patch.at(at))] =
          static_cast<T>(flat(extents, at) + 1);
    });
}

template <class T>
void moves_every_point(const ExchangeRow& row, std::uint64_t seed, std::int64_t count_limit) {
  const Communicator comm(MPI_COMM_WORLD);
  Dice dice(seed);
  const Extents extents = random_extents(dice, 2000);
  const Redistribution moves(random_decomposition(dice, extents, comm.size()),
                             random_decomposition(dice, extents, comm.size()));
  ExchangeSpec spec{&comm, moves, sizeof(T), send, receive, {}, {}, count_limit};
  const bool from_array = row.moves_arrays && dice.chance(40);
  const bool to_array = row.moves_arrays && dice.chance(40);
  if (from_array) spec.source_array = packed_array(moves.source().boxes(comm.rank()), source);
  if (to_array) spec.target_array = packed_array(moves.target().boxes(comm.rank()), target);
  auto exchange = row.make(spec);

  std::vector<std::vector<T>> buffers(4);
  buffers[send].resize(static_cast<std::size_t>(exchange->send_elements()));
  buffers[receive].resize(static_cast<std::size_t>(exchange->receive_elements()));
  buffers[source].resize(static_cast<std::size_t>(moves.source().volume(comm.rank())));
  buffers[target].resize(static_cast<std::size_t>(moves.target().volume(comm.rank())));
  Addresses addresses;
  for (auto& buffer : buffers) addresses.push_back(reinterpret_cast<std::byte*>(buffer.data()));

  for (int run = 0; run < 2; ++run) {
    for (auto& buffer : buffers) std::fill(buffer.begin(), buffer.end(), T(0));
    exchange->start(addresses);
    fill(from_array ? *spec.source_array : exchange->outgoing(), extents, buffers);
    if (!from_array)
      for (int m = exchange->outgoing_messages() - 1; m >= 0; m -= 2) exchange->ready(m);
    exchange->flush();
    for (int m = exchange->incoming_messages() - 1; m >= 0; --m) exchange->await(m);
    exchange->finish();

    std::vector<int> reached(static_cast<std::size_t>(volume(extents)), 0);
    for (const Patch& patch : exchange->incoming())
      for_each_index(patch.box, [&](const Dims& at) {
        ++reached[flat(extents, at)];
        ASSERT_EQ(
            buffers[static_cast<std::size_t>(patch.buffer)][static_cast<std::size_t>(patch.at(at))],
            static_cast<T>(flat(extents, at) + 1))
            << row.name << " seed " << seed;
      });
    for (const Box& box : moves.target().boxes(comm.rank()))
      for_each_index(box, [&](const Dims& at) { ASSERT_EQ(reached[flat(extents, at)], 1); });
  }
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
    const auto exchange = row.make({&comm, moves, 8, send, receive, {}, {}, INT32_MAX});
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
                 "  try:   one of: p2p, alltoallv, alltoall, alltoallw");
  }
}
