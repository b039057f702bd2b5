// exchange/node_group, exchange/sharing: ranks of a node work on each other's memory of devices,
// one after the other's stream has stored there and a signal has told so.

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "support/joined_node.hpp"
#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/late.hpp"
#include "weft/exchange/sharing.hpp"

namespace weft {
namespace {

// Counts mappings of other processes' memory, none of which is this process's own.
class CountingDriver : public LateDriver {
 public:
  explicit CountingDriver(const Settings& settings) : LateDriver(settings) {}
  void* open(const DeviceMemoryHandle& handle) override {
    void* const opened = LateDriver::open(handle);
    EXPECT_TRUE(open_.emplace(opened, handle).second);
    for (const auto& [address, other] : open_)
      EXPECT_TRUE(address == opened || other != handle) << "opened twice";
    return opened;
  }
  void close(void* opened) noexcept override {
    EXPECT_EQ(open_.erase(opened), 1U);
    LateDriver::close(opened);
  }
  std::size_t mappings() const { return open_.size(); }

 private:
  std::map<void*, DeviceMemoryHandle> open_;
};

// A rank's device, its stream, and the ranks of its node.
class DeviceRank {
 public:
  DeviceRank(const Communicator& whole, const std::vector<int>& nodes, Lateness lateness)
      : number_(whole.rank() % devices), driver_(settings(whole.rank(), lateness)) {
    driver_.select(number_);
    stream_ = driver_.make_stream(0);
    stored_ = driver_.make_event();
    node_.emplace(whole, nodes, device());
  }

  CountingDriver& driver() { return driver_; }
  NodeGroup& node() { return *node_; }
  Device device() { return {&driver_, number_}; }

  void enqueue_store(void* to, std::int64_t number) {
    numbers_.push_back(std::make_unique<std::int64_t>(number));
    driver_.copy(stream_, to, numbers_.back().get(), sizeof number);
    driver_.record(stream_, stored_);
  }
  void await_stored() { driver_.await(stored_); }
  std::int64_t load(const void* from) {
    std::int64_t number = 0;
    driver_.copy(stream_, &number, from, sizeof number);
    driver_.await(stream_);
    return number;
  }

 private:
  static constexpr int devices = 3;  // of all ranks
  static LateDriver::Settings settings(int rank, Lateness lateness) {
    LateDriver::Settings settings;
    settings.seed = static_cast<unsigned>(rank) + 1;
    settings.lateness = lateness;
    settings.devices = devices;
    return settings;
  }

  int number_;
  CountingDriver driver_;
  DeviceStream stream_;
  DeviceEvent stored_;
  std::vector<std::unique_ptr<std::int64_t>> numbers_;  // which copies read late
  std::optional<test::JoinedNode> node_;
};

// On one node, on nodes of 2 and 3 ranks, and on two nodes in turn.
void for_all_nodes(const std::function<void(DeviceRank&)>& body) {
  const Communicator whole(MPI_COMM_WORLD);
  for (const int kind : {0, 1, 2, 3}) {
    std::vector<int> nodes;
    for (int rank = 0; rank < whole.size(); ++rank)
      nodes.push_back(kind == 0 ? 0 : kind == 3 ? rank % 2 : rank / (kind + 1));
    SCOPED_TRACE(fmt::format("nodes {}", nodes));
    DeviceRank rank(whole, nodes, kind % 2 == 0 ? Lateness::laziest : Lateness::random);
    body(rank);
  }
}

std::byte* at(const DeviceBuffer& memory, std::int64_t offset) {
  return static_cast<std::byte*>(memory.data()) + offset;
}

TEST(DeviceMemoryOfNode, is_a_window_that_all_members_copy_from_after_a_signal) {
  for_all_nodes([](DeviceRank& rank) {
    NodeGroup& node = rank.node();
    const auto memory = node.common(static_cast<std::int64_t>(sizeof(Signal)));
    auto& signal = *reinterpret_cast<Signal*>(memory.get());
    const auto size = static_cast<std::uint32_t>(node.size());
    const NodeGroup::Window window = node.window(8000 + 8 * node.me());
    EXPECT_EQ(rank.driver().mappings(), size - 1) << "this rank's own memory is not opened";
    for (std::uint32_t round = 1; round <= 3; ++round) {
      rank.enqueue_store(window.of(node.me()), 100 * round + node.me());
      rank.await_stored();
      node.count(signal, size * round);
      while (!node.check_reached(signal, size * round)) node.wait_briefly(&signal, size * round);
      for (int i = 0; i < node.size(); ++i)
        EXPECT_EQ(rank.load(window.of(i)), 100 * round + i) << "member " << i;
      node.barrier();
    }
    EXPECT_EQ(node.window(0).of(node.me()), nullptr);
  });
}

TEST(DeviceMemoryOfNode, is_stored_to_by_streams_of_other_ranks) {
  for_all_nodes([](DeviceRank& rank) {
    NodeGroup& node = rank.node();
    const NodeGroup::Window window = node.window(8 * node.size());
    for (int i = 0; i < node.size(); ++i)
      rank.enqueue_store(window.of(i) + 8 * node.me(), 10 * node.me() + i);
    rank.await_stored();
    node.barrier();
    for (int i = 0; i < node.size(); ++i)
      EXPECT_EQ(rank.load(window.of(node.me()) + 8 * i), 10 * i + node.me());
    node.barrier();
  });
}

TEST(DeviceMemoryOfNode, finds_arrays_in_the_middle_of_allocations) {
  for_all_nodes([](DeviceRank& rank) {
    NodeGroup& node = rank.node();
    const DeviceBuffer memory(rank.driver(), 10000);
    rank.enqueue_store(at(memory, 0), node.me());
    rank.enqueue_store(at(memory, 4096 + 16 * node.me()), 100 + node.me());
    rank.await_stored();
    node.publish(0, place_in_region(at(memory, 0), rank.device()));
    node.publish(1, place_in_region(at(memory, 4096 + 16 * node.me()), rank.device()));
    node.barrier();
    for (int i = 0; i < node.size(); ++i) {
      EXPECT_EQ(rank.load(node.resolve(i, 1)), 100 + i);
      EXPECT_EQ(node.mapped(i, 0) != nullptr, i != node.me()) << "the same allocation";
      EXPECT_EQ(rank.load(node.resolve(i, 0)), i);
    }
    EXPECT_EQ(node.resolve(node.me(), 0), memory.data()) << "mine, and not mapped again";
    EXPECT_EQ(rank.driver().mappings(), static_cast<std::size_t>(node.size() - 1));
    node.barrier();
  });
}

TEST(DeviceMemoryOfNode, is_mapped_anew_when_it_is_freed_and_allocated_again) {
  for_all_nodes([](DeviceRank& rank) {
    NodeGroup& node = rank.node();
    std::optional<DeviceBuffer> memory;
    for (int round = 0; round < 6; ++round) {
      memory.reset();
      memory.emplace(rank.driver(), 4096 + node.me());
      rank.enqueue_store(at(*memory, 8), 100 * round + node.me());
      rank.await_stored();
      node.publish(round % 2, place_in_region(at(*memory, 8), rank.device()));
      node.barrier();
      for (int i = 0; i < node.size(); ++i)
        EXPECT_EQ(rank.load(node.resolve(i, round % 2)), 100 * round + i);
      node.barrier();
      // What was mapped before is let go when the next array is mapped.
      EXPECT_EQ(rank.driver().mappings(), static_cast<std::size_t>(node.size() - 1));
      node.barrier();
    }
    node.publish(0, std::nullopt);
    node.publish(1, std::nullopt);
  });
}

TEST(DeviceMemoryOfNode, keeps_the_mappings_of_arrays_that_take_turns) {
  for_all_nodes([](DeviceRank& rank) {
    NodeGroup& node = rank.node();
    const DeviceBuffer first(rank.driver(), 100), second(rank.driver(), 100);
    const auto size = static_cast<std::size_t>(node.size());
    for (int round = 0; round < 4; ++round) {
      const DeviceBuffer& memory = round % 2 == 0 ? first : second;
      node.publish(0, place_in_region(memory.data(), rank.device()));
      node.barrier();
      for (int i = 0; i < node.size(); ++i) {
        EXPECT_EQ(node.mapped(i, 0) != nullptr, i != node.me() && round >= 2);
        node.resolve(i, 0);
      }
      EXPECT_EQ(rank.driver().mappings(), (round == 0 ? 1 : 2) * (size - 1));
      node.barrier();
    }
  });
}

TEST(DeviceMemoryOfNode, is_let_go_with_the_group) {
  const Communicator whole(MPI_COMM_WORLD);
  const std::vector<int> one_node(static_cast<std::size_t>(whole.size()), 0);
  LateDriver::Settings settings;
  CountingDriver driver(settings);
  const Device device{&driver, 0};
  const DeviceBuffer memory(driver, 100);
  {
    test::JoinedNode first(whole, one_node, device), second(whole, one_node, device);
    for (test::JoinedNode* node : {&first, &second}) {
      node->publish(0, place_in_region(memory.data(), device));
      node->barrier();
      for (int i = 0; i < node->size(); ++i) node->resolve(i, 0);
    }
    EXPECT_EQ(driver.mappings(), static_cast<std::size_t>(whole.size() - 1)) << "once for both";
    second.barrier();
  }
  EXPECT_EQ(driver.mappings(), 0U);
  whole.barrier();
}

TEST(DeviceMemoryOfNode, that_is_not_there_is_heard_of_by_every_member) {
  for_all_nodes([](DeviceRank& rank) {
    NodeGroup& node = rank.node();
    const bool asks_for_much = node.me() == node.size() - 1;
    try {
      node.window(asks_for_much ? std::int64_t{1} << 40 : 8);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Error::system);
      EXPECT_NE(error.message().find("cannot allocate 1099511627776 bytes of device memory"),
                std::string::npos);
    }
    EXPECT_NO_THROW(node.window(8)) << "afterwards";
  });
}

TEST(DeviceMemoryOfNode, divides_nodes_whose_devices_do_not_reach_each_other) {
  const Communicator whole(MPI_COMM_WORLD);
  const std::vector<int> one_node(static_cast<std::size_t>(whole.size()), 0);
  for (const bool reaches_others : {true, false}) {
    LateDriver::Settings settings;
    settings.devices = 2;
    settings.reaches_others = reaches_others;
    CountingDriver driver(settings);
    const Device device{&driver, whole.rank() % 2};
    const Sharing sharing = sharing_of(whole, one_node, device);
    EXPECT_EQ(driver.mappings(), 0U);
    EXPECT_EQ(driver.free_bytes(), settings.memory_bytes);
    if (reaches_others || whole.size() == 1) {
      EXPECT_EQ(sharing.node_of_rank, one_node);
      EXPECT_EQ(sharing.why_not, "");
      continue;
    }
    for (int rank = 0; rank < whole.size(); ++rank)
      EXPECT_EQ(sharing.node_of_rank[static_cast<std::size_t>(rank)], rank % 2);
    EXPECT_EQ(sharing.why_not,
              "rank 0 cannot use the memory of rank 1 on its node: device 0 at 0000:00:00.0 does "
              "not reach its device at 0000:01:00.0");
  }
}

// A driver whose memory others cannot map at all.
class PrivateDriver : public LateDriver {
 public:
  PrivateDriver() : LateDriver(Settings()) {}
  std::optional<DeviceAllocation> shareable(const void*) const override { return std::nullopt; }
};

TEST(DeviceMemoryOfNode, puts_ranks_on_nodes_of_their_own_where_memory_cannot_be_shared) {
  const Communicator whole(MPI_COMM_WORLD);
  const std::vector<int> one_node(static_cast<std::size_t>(whole.size()), 0);
  PrivateDriver driver;
  const Sharing sharing = sharing_of(whole, one_node, {&driver, 0});
  for (int rank = 0; rank < whole.size(); ++rank)
    EXPECT_EQ(sharing.node_of_rank[static_cast<std::size_t>(rank)], rank);
  EXPECT_EQ(sharing.why_not, whole.size() == 1
                                 ? ""
                                 : "rank 0 cannot use the memory of rank 1 on its node: other "
                                   "processes cannot map memory of this device");
  test::JoinedNode alone(whole, sharing.node_of_rank, {&driver, 0});
  EXPECT_NE(alone.window(100).of(0), nullptr) << "which a rank alone need not share";
}

}  // namespace
}  // namespace weft
