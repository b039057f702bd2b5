// making/exchange_layout: what every exchange of the table stores, sends and loads, for all ranks
// of random machines.

#include "weft/making/exchange_layout.hpp"
#include "weft/making/node_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "support/decompositions.hpp"
#include "weft/making/exchange_table.hpp"

using namespace weft;
using namespace weft::test;

namespace {

enum Buffers : int { send, receive, rest, source, target, buffers };

// As a rank numbers its own buffers, and those of others.
int buffer_of(int me, int rank, int buffer) {
  return rank == me ? buffer : (1 + rank) * buffers + buffer;
}

Patches packed_array(const std::vector<Box>& boxes, int buffer) {
  Patches array;
  std::int64_t offset = 0;
  for (const Box& box : boxes) {
    array.push_back(packed_patch(box, buffer, offset));
    offset += box.volume();
  }
  return array;
}

/// A redistribution and where it takes place; `with_source` (`with_target`): straight from (to)
/// users' arrays. What rests in a node rests in `rests_in`.
struct Case {
  Machine machine;
  Redistribution moves;
  bool with_source = false, with_target = false;
  int rests_in = rest;
  mutable std::map<int, NodeExchange> nodes = {};

  ExchangeQuestion question(int rank) const {
    const auto array = [this, rank](int owner, int buffer) {
      const Decomposition& at = buffer == source ? moves.source() : moves.target();
      return packed_array(at.boxes(owner), buffer_of(rank, owner, buffer));
    };
    ExchangeQuestion question;
    question.rank = rank;
    question.moves = &moves;
    question.machine = &machine;
    question.element_bytes = 8;
    question.send_buffer = send;
    question.receive_buffer = receive;
    question.stationary_buffer = rest;
    const int node = machine.node(rank);
    question.node = &nodes.try_emplace(node, moves, machine, node, 8).first->second;
    question.first_tag = 100;
    if (with_source) question.source_array = array(rank, source);
    if (with_target) question.target_array = array(rank, target);
    if (rests_in != rest)
      question.stationary_patches = [array, in = rests_in](int owner) { return array(owner, in); };
    question.stationary_at_target = rests_in == target;
    question.buffer_of = [rank](int owner, int buffer) { return buffer_of(rank, owner, buffer); };
    return question;
  }
};

std::optional<Case> random_case(const ExchangeEntry& entry, std::uint64_t seed) {
  Dice dice(seed);
  Machine machine;
  machine.ranks = static_cast<int>(dice.between(1, 12));
  const auto nodes = dice.between(1, machine.ranks);
  for (int rank = 0; rank < machine.ranks; ++rank)
    machine.node_of_rank.push_back(static_cast<int>(rank * nodes / machine.ranks));
  if (entry.applies({}, machine)) return std::nullopt;
  const Extents extents = random_extents(dice, 2000);
  const Decomposition from = random_decomposition(dice, extents, machine.ranks);
  const Decomposition to = random_decomposition(dice, extents, machine.ranks);
  const Cutting cutting = dice.chance(30) ? Cutting{} : random_cutting(dice, extents);
  Case one{machine, Redistribution(from, to, cutting)};
  const bool arrays = entry.moves_arrays || (entry.shares_memory && machine.nodes() == 1);
  one.with_source = arrays && dice.chance(40);
  // Loaded straight from the source, stored straight to the target: that takes a copy between.
  one.with_target = arrays && dice.chance(40) && !(one.with_source && entry.shares_memory);
  one.rests_in = one.with_source   ? source
                 : one.with_target ? target
                                   : dice.pick<int>({rest, source, target});
  return one;
}

template <class Body>
void for_random_cases(const Body& body) {
  for (const ExchangeEntry& entry : exchanges())
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const auto one = random_case(entry, seed);
      if (!one) continue;
      SCOPED_TRACE(fmt::format("{} seed {}", entry.name, seed));
      std::vector<ExchangeLayout> layouts;
      for (int rank = 0; rank < one->machine.ranks; ++rank)
        layouts.push_back(entry.lay_out(one->question(rank)));
      body(*one, layouts);
      if (testing::Test::HasFatalFailure()) return;
    }
}

// Every point of `boxes` is in one patch, and every message has one.
void cover(const Patches& patches, std::size_t messages, const std::vector<Box>& boxes,
           const Extents& extents) {
  std::vector<int> reached(static_cast<std::size_t>(volume(extents)), 0);
  std::vector<int> parts(messages, 0);
  for (const Patch& patch : patches) {
    for_each_index(patch.box, [&](const Dims& at) { ++reached[flat(extents, at)]; });
    if (messages == 0) continue;
    ASSERT_GE(patch.message, 0);
    ASSERT_LT(patch.message, static_cast<int>(messages));
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

}  // namespace

TEST(EveryExchange, stores_and_loads_every_point_of_a_rank_once) {
  for_random_cases([](const Case& one, const std::vector<ExchangeLayout>& layouts) {
    for (int rank = 0; rank < one.machine.ranks; ++rank) {
      SCOPED_TRACE(fmt::format("rank {}", rank));
      const ExchangeLayout& layout = layouts[static_cast<std::size_t>(rank)];
      const std::vector<Box> given = one.moves.source().boxes(rank);
      const Extents& extents = one.moves.source().extents();
      ASSERT_EQ(layout.outgoing.empty(), one.with_source || given.empty());
      if (!one.with_source) {
        ASSERT_NO_FATAL_FAILURE(
            cover(layout.outgoing, layout.outgoing_messages.size(), given, extents));
      }
      ASSERT_NO_FATAL_FAILURE(cover(layout.incoming, layout.incoming_messages.size(),
                                    one.moves.target().boxes(rank), extents));
    }
  });
}

// Who sends what to whom, with which tag and in which cell; who receives it.
TEST(EveryExchange, sends_what_the_other_side_receives) {
  for_random_cases([](const Case& one, const std::vector<ExchangeLayout>& layouts) {
    using Sent = std::tuple<int, int, int, int, std::int64_t>;
    std::vector<Sent> sent, received;
    std::set<std::tuple<int, int, int>> tags;
    for (int rank = 0; rank < one.machine.ranks; ++rank) {
      const ExchangeProgram& program = layouts[static_cast<std::size_t>(rank)].program;
      for (const Message& message : program.sends) {
        sent.emplace_back(rank, message.peer, message.tag, message.cell, message.count);
        EXPECT_TRUE(tags.insert({rank, message.peer, message.tag}).second);
        EXPECT_GE(message.tag, 100);
        EXPECT_LT(message.tag, 100 + one.moves.cutting().cells());
        EXPECT_NE(message.peer, rank);
      }
      for (const Message& message : program.receives)
        received.emplace_back(message.peer, rank, message.tag, message.cell, message.count);
    }
    std::sort(sent.begin(), sent.end());
    std::sort(received.begin(), received.end());
    EXPECT_EQ(sent, received);
  });
}

TEST(EveryExchange, gives_every_message_a_way) {
  for_random_cases([](const Case&, const std::vector<ExchangeLayout>& layouts) {
    for (const ExchangeLayout& layout : layouts) {
      for (const Outgoing& message : layout.outgoing_messages)
        EXPECT_EQ((message.send >= 0) + (message.collective >= 0) + (message.stays_as >= 0) +
                      (message.cell >= 0),
                  1);
      std::vector<int> stays(layout.incoming_messages.size(), 0);
      for (const Outgoing& message : layout.outgoing_messages)
        if (message.stays_as >= 0) ++stays.at(static_cast<std::size_t>(message.stays_as));
      for (std::size_t m = 0; m < layout.incoming_messages.size(); ++m) {
        const Incoming& message = layout.incoming_messages[m];
        EXPECT_EQ(
            (message.receive >= 0) + (message.collective >= 0) + (message.cell >= 0) + stays[m], 1)
            << "incoming message " << m;
      }
    }
  });
}

TEST(EveryExchange, tells_what_it_sends) {
  for (const int ranks : {1, 2, 5}) {
    const Extents extents{12 * ranks, 7, 12 * ranks};
    const Redistribution moves(Decomposition::on_grid(extents, {{ranks, 1, 1}}, ranks),
                               Decomposition::on_grid(extents, {{1, 1, ranks}}, ranks));
    const Case one{{ranks, {}}, moves};
    for (const ExchangeEntry& entry : exchanges()) {
      if (entry.applies({}, one.machine)) continue;
      for (int rank = 0; rank < ranks; ++rank) {
        const ExchangeLayout layout = entry.lay_out(one.question(rank));
        std::set<int> peers;
        for (const auto& sent : layout.sent) {
          EXPECT_EQ(sent.bytes, 12 * 7 * 12 * 8) << entry.name;
          peers.insert(sent.peer);
        }
        EXPECT_EQ(layout.sent.size(), peers.size()) << entry.name;
        EXPECT_EQ(static_cast<int>(peers.size()), ranks - 1) << entry.name;
        EXPECT_EQ(peers.count(rank), 0U) << entry.name;
      }
    }
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

TEST(Exchange, one_that_does_not_apply_is_refused_with_the_reason) {
  try {
    find_exchange("shared", Problem{}, Machine{4, {0, 0, 1, 1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "weft: the exchange 'shared' does not apply: the ranks are on 2 nodes; within "
                 "each, `node` does the same\n"
                 "  try:   `weft exchanges` lists the ones that apply");
  }
}
