// exchange/node_group: ranks of one node share memory and wait for each other, for many ways of
// putting ranks on nodes.

#include "weft/comm/mpi_comm.hpp"
#include "weft/exchange/node_group.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "support/joined_node.hpp"
#include "support/patience.hpp"
#include "weft/comm/agreement.hpp"

namespace weft {
namespace {

using test::JoinedNode;

void sleep_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// How often the first thread of a process has given up its core to wait. Unlike its CPU time, this
// does not depend on how fast the machine is.
long times_slept(int process) {
  const std::string name = "voluntary_ctxt_switches:";
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return std::stol(line.substr(name.size()));
  return 0;
}

void wait_for(NodeGroup& node, Signal& signal, std::uint32_t value) {
  while (!node.check_reached(signal, value)) node.wait_briefly(&signal, value);
}

int open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<int>(std::distance(begin(all), end(all)));
}

int mapped_regions() {
  std::ifstream maps("/proc/self/maps");
  int lines = 0;
  for (std::string line; std::getline(maps, line);)
    if (line.find("memfd:weft") != std::string::npos) ++lines;
  return lines;
}

// Nodes of 1, 2 and 3 ranks, a single node, a node of one rank beside a larger one, and two nodes
// to which ranks belong in turn.
std::vector<std::vector<int>> node_lists(int ranks) {
  std::vector<std::vector<int>> lists;
  for (const int size : {1, 2, 3, ranks}) {
    auto& list = lists.emplace_back();
    for (int rank = 0; rank < ranks; ++rank) list.push_back(rank / size);
  }
  auto& uneven = lists.emplace_back();
  auto& mixed = lists.emplace_back();
  for (int rank = 0; rank < ranks; ++rank) {
    uneven.push_back(rank == 0 ? 7 : 2);
    mixed.push_back(rank % 2);
  }
  return lists;
}

void for_all_nodes(const std::function<void(NodeGroup&)>& body) {
  const Communicator whole(MPI_COMM_WORLD);
  for (const auto& nodes : node_lists(whole.size())) {
    SCOPED_TRACE(fmt::format("nodes {}", nodes));
    JoinedNode node(whole, nodes);
    body(node);
  }
}

TEST(NodeGroup, holds_the_ranks_of_my_node_in_their_order) {
  const Communicator whole(MPI_COMM_WORLD);
  for (const auto& nodes : node_lists(whole.size())) {
    const JoinedNode node(whole, nodes);
    const int mine = nodes[static_cast<std::size_t>(whole.rank())];
    std::vector<int> expected;
    for (int rank = 0; rank < whole.size(); ++rank) {
      const bool is_here = nodes[static_cast<std::size_t>(rank)] == mine;
      EXPECT_EQ(node.member(rank), is_here ? static_cast<int>(expected.size()) : -1);
      if (is_here) expected.push_back(rank);
    }
    EXPECT_EQ(node.ranks(), expected);
    EXPECT_EQ(node.size(), static_cast<int>(expected.size()));
    EXPECT_EQ(node.ranks()[static_cast<std::size_t>(node.me())], whole.rank());
    EXPECT_EQ(node.member(-1), -1);
    EXPECT_EQ(node.member(whole.size()), -1);
  }
}

TEST(NodeGroup, sees_in_common_memory_what_others_wrote_before_a_barrier) {
  for_all_nodes([](NodeGroup& node) {
    const auto region = node.common(std::int64_t{8} * node.size());
    auto* numbers = reinterpret_cast<std::int64_t*>(region.get());
    for (int i = 0; i < node.size(); ++i) EXPECT_EQ(numbers[i], 0);
    node.barrier();
    numbers[node.me()] = 100 + node.me();
    node.barrier();
    for (int i = 0; i < node.size(); ++i) EXPECT_EQ(numbers[i], 100 + i);
    EXPECT_EQ(node.common(0).get(), nullptr);
  });
}

TEST(NodeGroup, holds_no_descriptor_of_the_memory_that_its_members_share) {
  const Communicator whole(MPI_COMM_WORLD);
  const std::vector<int> one_node(static_cast<std::size_t>(whole.size()), 0);
  const JoinedNode first(whole, one_node);  // opens the descriptors by which processes are watched
  const int before = open_descriptors();
  JoinedNode node(whole, one_node);
  const auto region = node.common(100);
  const auto window = node.window(std::int64_t{5} << 20);
  EXPECT_EQ(open_descriptors(), before);
}

TEST(NodeGroup, sees_in_windows_what_others_wrote_before_a_barrier) {
  for_all_nodes([](NodeGroup& node) {
    // The windows have different sizes: the first has none, and the third is in huge pages.
    const auto bytes_of = [](int i) { return i == 2 ? std::int64_t{5} << 20 : 1000 * i; };
    const NodeGroup::Window window = node.window(bytes_of(node.me()));
    const NodeGroup::Window second = node.window(8);
    for (std::int64_t at = 0; at < bytes_of(node.me()); ++at)
      window.of(node.me())[at] = static_cast<std::byte>(node.me() + at % 7);
    *second.of(node.me()) = std::byte{200};
    node.barrier();
    for (int i = 0; i < node.size(); ++i) {
      if (node.size() > 1) {
        ASSERT_EQ(window.regions[static_cast<std::size_t>(i)].bytes(), bytes_of(i));
      }
      int wrong = 0;
      for (std::int64_t at = 0; at < bytes_of(i); ++at)
        if (window.of(i)[at] != static_cast<std::byte>(i + at % 7)) ++wrong;
      EXPECT_EQ(wrong, 0) << "member " << i;
      EXPECT_EQ(*second.of(i), std::byte{200});
    }
    EXPECT_EQ(window.of(0), nullptr) << "no bytes";
  });
}

TEST(NodeGroup, hears_of_memory_that_is_not_there_on_every_member) {
  for_all_nodes([](NodeGroup& node) {
    const auto message = [&](const std::function<void()>& body) {
      try {
        body();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Error::system);
        EXPECT_FALSE(error.hint().empty());
        return error.message();
      }
      return std::string("nothing was thrown");
    };
    const std::string absurd = "cannot allocate 1152921504606846976 bytes";
    EXPECT_EQ(message([&] { node.common(std::int64_t{1} << 60); }).rfind(absurd, 0), 0U);
    const bool is_last = node.me() == node.size() - 1;
    EXPECT_EQ(message([&] { node.window(is_last ? std::int64_t{1} << 60 : 10); }).rfind(absurd, 0),
              0U);
    EXPECT_NE(node.common(10).get(), nullptr) << "it goes on";
  });
}

TEST(NodeGroup, passes_a_thousand_barriers_without_losing_count) {
  for_all_nodes([](NodeGroup& node) {
    const auto region = node.common(std::int64_t{4} * node.size());
    auto* steps = reinterpret_cast<std::atomic<int>*>(region.get());
    int wrong = 0;
    const int barriers = node.size() > 4 ? 200 : 1000;
    for (int step = 1; step <= barriers; ++step) {
      steps[node.me()].store(step, std::memory_order_relaxed);
      if (step % 97 == 13 * node.me() % 97) sleep_ms(node.me() % 3);
      node.barrier();
      for (int i = 0; i < node.size(); ++i) {
        const int there = steps[i].load(std::memory_order_relaxed);
        if (there != step && there != step + 1) ++wrong;
      }
    }
    EXPECT_EQ(wrong, 0);
  });
}

TEST(NodeGroup, waits_for_signals_that_count) {
  for_all_nodes([](NodeGroup& node) {
    const auto region = node.common(2 * sizeof(Signal));
    auto* signals = reinterpret_cast<Signal*>(region.get());
    // Everybody counts two, and everybody waits for all.
    const auto all = static_cast<std::uint32_t>(2 * node.size());
    for (int i = 0; i < 2; ++i) node.count(signals[0], all);
    wait_for(node, signals[0], all);
    EXPECT_EQ(signals[0].value.load(), all);
    // A token goes round, with the number about to wrap.
    const auto turn_of = [](int member) {
      return UINT32_MAX - 4 + static_cast<std::uint32_t>(member);
    };
    if (node.me() == 0) signals[1].value.store(turn_of(0));
    node.barrier();
    wait_for(node, signals[1], turn_of(node.me()));
    EXPECT_EQ(signals[1].value.load(), turn_of(node.me()));
    node.count(signals[1], turn_of(node.me() + 1));
    wait_for(node, signals[1], turn_of(node.size()));
    wait_for(node, signals[1], turn_of(-2));  // long ago
  });
}

TEST(NodeGroup, wakes_when_all_are_counted) {
  for_all_nodes([](NodeGroup& node) {
    const auto region = node.common(sizeof(Signal));
    auto& signal = *reinterpret_cast<Signal*>(region.get());
    const auto members = static_cast<std::uint32_t>(node.size());
    for (std::uint32_t run = 1; run <= 50; ++run) {
      if (run % 7 == static_cast<std::uint32_t>(node.me())) sleep_ms(1);
      node.count(signal, run * members);
      wait_for(node, signal, run * members);
      EXPECT_TRUE(has_reached(signal, run * members));
      EXPECT_FALSE(node.check_reached(signal, (run + 1) * members));
      node.barrier();
    }
  });
}

TEST(NodeGroup, waits_briefly_for_a_signal_or_something_else) {
  for_all_nodes([](NodeGroup& node) {
    const auto region = node.common(sizeof(Signal));
    auto& signal = *reinterpret_cast<Signal*>(region.get());
    node.wait_briefly(&signal, 0);
    node.wait_briefly(&signal, 1);  // nobody raises it: some milliseconds
    for (Signal* awaited : {static_cast<Signal*>(nullptr), &signal}) {
      int asked = 0;
      const NodeGroup::Condition third_time = [&] { return ++asked == 3; };
      while (asked < 3) node.wait_briefly(awaited, 1, &third_time);
      EXPECT_EQ(asked, 3);
    }
    node.wait_briefly(nullptr, 0);
    EXPECT_EQ(signal.value.load(), 0U);
    node.barrier();
  });
}

// Member 0 lets the others wait until they have slept often, which takes the longer the busier the
// machine is: a sleep ends by itself after 10 ms or, of who asks, 0.2 ms. Who spins never sleeps.
TEST(NodeGroup, sleeps_while_it_waits) {
  const Communicator whole(MPI_COMM_WORLD);
  if (whole.size() == 1) return;
  JoinedNode node(whole, std::vector<int>(static_cast<std::size_t>(whole.size())));
  const auto region = node.common(sizeof(Signal));
  auto& signal = *reinterpret_cast<Signal*>(region.get());
  const std::vector<std::int64_t> processes = whole.gather_each(getpid());
  const auto sleeps_of_others = [&] {
    std::vector<long> all;
    for (std::size_t other = 1; other < processes.size(); ++other)
      all.push_back(times_slept(static_cast<int>(processes[other])));
    return all;
  };
  const NodeGroup::Condition nothing = [] { return false; };
  for (const bool asks : {false, true}) {
    node.barrier();
    if (node.me() == 0) {
      const std::vector<long> before = sleeps_of_others();
      EXPECT_TRUE(test::comes_true([&] {
        sleep_ms(300);
        return std::ranges::equal(before, sleeps_of_others(), [&](long then, long now) {
          return now > then + (asks ? 100 : 10);
        });
      })) << asks;
      if (asks) node.count(signal, 1);
    } else if (asks) {
      while (!node.check_reached(signal, 1)) node.wait_briefly(&signal, 1, &nothing);
    }
    node.barrier();
  }
}

TEST(NodeGroup, finds_the_arrays_that_others_publish) {
  for_all_nodes([](NodeGroup& node) {
    const SharedRegion first(3 << 20), second(5000);
    const auto byte = [](int i, int what) { return static_cast<std::byte>(16 * what + i); };
    first.data()[0] = byte(node.me(), 1);
    first.data()[1 << 20] = byte(node.me(), 2);
    second.data()[77] = byte(node.me(), 3);
    const auto see = [&](int array, int what) {
      node.barrier();
      for (int i = 0; i < node.size(); ++i)
        EXPECT_EQ(*node.resolve(i, array), byte(i, what)) << "member " << i;
      node.barrier();
    };
    node.publish(0, SharedRegion::containing(first.data()));
    node.publish(1, SharedRegion::containing(first.data() + (1 << 20)));
    see(0, 1);
    see(1, 2);
    node.publish(0, SharedRegion::containing(second.data() + 77));
    see(0, 3);
    see(1, 2);
    EXPECT_EQ(node.resolve(node.me(), 0), second.data() + 77) << "mine, and not mapped again";
    const int mappings = mapped_regions();
    node.publish(0, SharedRegion::containing(first.data()));
    see(0, 1);
    EXPECT_EQ(mapped_regions(), mappings) << "seen before";
  });
}

TEST(NodeGroup, tells_which_member_published_no_array) {
  for_all_nodes([](NodeGroup& node) {
    const SharedRegion mine(100);
    const int last = node.size() - 1;
    const auto error = [&](int array) {
      try {
        node.resolve(last, array);
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), Error::invalid);
        return e.message();
      }
      return std::string("nothing was thrown");
    };
    node.publish(0, SharedRegion::containing(mine.data()));
    node.barrier();
    EXPECT_EQ(error(1), fmt::format("rank {} has its target in memory that others cannot map",
                                    node.ranks().back()));
    EXPECT_NO_THROW(node.resolve(last, 0));
    node.barrier();
    node.publish(0, std::nullopt);
    node.barrier();
    EXPECT_EQ(error(0), fmt::format("rank {} has its source in memory that others cannot map",
                                    node.ranks().back()));
    node.barrier();
  });
}

TEST(NodeGroup, lets_go_of_regions_whose_makers_let_go) {
  for_all_nodes([](NodeGroup& node) {
    const int before = mapped_regions();
    for (int round = 0; round < 100; ++round) {
      const SharedRegion region(4096);
      *region.data() = static_cast<std::byte>(round);
      node.publish(round % 2, SharedRegion::containing(region.data()));
      node.barrier();
      for (int i = 0; i < node.size(); ++i)
        ASSERT_EQ(*node.resolve(i, round % 2), static_cast<std::byte>(round));
      node.barrier();
    }
    node.barrier();
    node.publish(0, std::nullopt);
    EXPECT_EQ(mapped_regions(), before);
    node.barrier();
  });
}

TEST(NodeGroup, ends_the_wait_of_all_when_one_fails) {
  for_all_nodes([](NodeGroup& node) {
    const auto message = [](const std::function<void()>& body) {
      try {
        body();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Error::system);
        return error.message();
      }
      return std::string("nothing was thrown");
    };
    const auto region = node.common(sizeof(Signal));
    auto& signal = *reinterpret_cast<Signal*>(region.get());
    const int last = node.size() - 1;
    const NodeGroup::Condition nothing = [] { return false; };
    const auto why = fmt::format("rank {} has had enough", node.ranks().back());
    if (node.me() == last) {
      sleep_ms(20);
      EXPECT_TRUE(node.fail(ErrorRecord(Error(Error::system, why))));
      EXPECT_TRUE(node.fail(ErrorRecord(Error(Error::system, "and says more"))));
    }
    EXPECT_EQ(message([&] {
                if (node.me() % 3 == 0)
                  node.barrier();
                else if (node.me() % 3 == 1)
                  wait_for(node, signal, 1);
                else
                  while (!node.check_reached(signal, 1)) node.wait_briefly(&signal, 1, &nothing);
              }),
              why);
    EXPECT_EQ(message([&] { node.barrier(); }), why) << "later";
    EXPECT_EQ(message([&] { node.common(10); }), why);
    EXPECT_EQ(node.fail(ErrorRecord(Error(Error::system, "too late"))), node.me() == last);
  });
}

TEST(NodeGroup, outlives_its_communicator_and_ends_by_itself) {
  const int before = mapped_regions();
  std::unique_ptr<JoinedNode> node;
  {
    const Communicator whole(MPI_COMM_WORLD);
    node = std::make_unique<JoinedNode>(whole,
                                        std::vector<int>(static_cast<std::size_t>(whole.size())));
  }
  node->barrier();
  // One after another: nobody waits for the others to end theirs.
  const int me = node->me();
  if (me % 2 == 0) node.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  node.reset();
  EXPECT_EQ(mapped_regions(), before);
}

}  // namespace
}  // namespace weft
