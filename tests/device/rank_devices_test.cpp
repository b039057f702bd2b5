// device/rank_devices: every rank has a device, evenly, or the one that it asks for.

#include "weft/device/rank_devices.hpp"

#include <gtest/gtest.h>

#include "weft/base/ensure.hpp"

using namespace weft;

namespace {

const std::vector<std::int64_t> two{100, 101}, three{100, 101, 102};

// So many ranks of one node that all see `devices`, and ask for none.
std::vector<DevicesSeen> ranks_that_see(int ranks, const std::vector<std::int64_t>& devices) {
  return std::vector<DevicesSeen>(static_cast<std::size_t>(ranks), DevicesSeen{-1, devices});
}

std::vector<int> numbers_of(const std::vector<DevicesSeen>& seen, std::vector<int> nodes = {}) {
  if (nodes.empty()) nodes.resize(seen.size());
  std::vector<int> numbers;
  for (const RankDevice& each : rank_devices(nodes, seen)) numbers.push_back(each.number);
  return numbers;
}

Error error_of(const std::vector<DevicesSeen>& seen) {
  try {
    numbers_of(seen);
  } catch (const Error& error) {
    return error;
  }
  return Error(Error::bug, "nothing was thrown");
}

}  // namespace

TEST(RankDevices, gives_each_rank_one_of_its_own_where_there_are_enough) {
  EXPECT_EQ(numbers_of(ranks_that_see(3, three)), (std::vector{0, 1, 2}));
  EXPECT_EQ(numbers_of(ranks_that_see(2, three)), (std::vector{0, 1}));
}

TEST(RankDevices, lets_ranks_that_follow_each_other_share_one) {
  EXPECT_EQ(numbers_of(ranks_that_see(4, two)), (std::vector{0, 0, 1, 1}));
  EXPECT_EQ(numbers_of(ranks_that_see(5, two)), (std::vector{0, 0, 0, 1, 1}));
  EXPECT_EQ(numbers_of(ranks_that_see(4, three)), (std::vector{0, 0, 1, 2}));
  EXPECT_EQ(rank_devices({0, 0, 0}, ranks_that_see(3, two)),
            (std::vector<RankDevice>{{0, 2}, {0, 2}, {1, 1}}));
}

TEST(RankDevices, counts_each_node_by_itself) {
  EXPECT_EQ(numbers_of(ranks_that_see(4, two), {0, 1, 1, 0}), (std::vector{0, 0, 1, 1}));
}

TEST(RankDevices, takes_what_is_asked_for_and_shares_out_the_rest) {
  auto seen = ranks_that_see(4, two);
  seen[1].asked = 1;
  seen[3].asked = 1;
  EXPECT_EQ(numbers_of(seen), (std::vector{0, 1, 0, 1}));
  seen = ranks_that_see(2, two);
  seen[0].asked = seen[1].asked = 1;
  EXPECT_EQ(rank_devices({0, 0}, seen), (std::vector<RankDevice>{{1, 2}, {1, 2}}));
}

TEST(RankDevices, know_that_ranks_number_different_devices) {
  const std::vector<DevicesSeen> one_each{{-1, {100}}, {-1, {101}}};
  EXPECT_EQ(rank_devices({0, 0}, one_each), (std::vector<RankDevice>{{0, 1}, {0, 1}}));
  // Rank 0 sees device 101 only, so that rank 1 takes the other one.
  const std::vector<DevicesSeen> some{{-1, {101}}, {-1, two}, {-1, {101, 100}}};
  EXPECT_EQ(rank_devices({0, 0, 0}, some), (std::vector<RankDevice>{{0, 2}, {0, 1}, {0, 2}}));
}

TEST(RankDevices, name_the_rank_whose_device_does_not_exist) {
  auto seen = ranks_that_see(3, two);
  seen[2].asked = 2;
  EXPECT_EQ(error_of(seen).message(), "rank 2 is to use device 2, and has 2 devices");
  EXPECT_EQ(error_of(seen).code(), Error::invalid);
  seen[2].asked = -2;
  EXPECT_EQ(error_of(seen).message(), "rank 2 is to use device -2, and has 2 devices");
  seen[2] = {};
  EXPECT_EQ(error_of(seen).message(), "rank 2 has no device");
  EXPECT_EQ(error_of(seen).code(), Error::unsupported);
}
