// predicting/on_devices: bytes over the bandwidths of a machine's devices.

#include "weft/predicting/on_devices.hpp"

#include <gtest/gtest.h>

#include "weft/planning/constants.hpp"

using namespace weft;

namespace {

constexpr double call = constants::device_call_seconds;

MachineModel with_devices(int ranks_per_node) {
  MachineModel machine;
  machine.ranks_per_node = machine.cores_per_node = ranks_per_node;
  machine.devices = {2, std::int64_t{1} << 30, 1e12, 1e10};
  return machine;
}

std::optional<OnDevices> predicted(const MachineModel& machine, int ranks, Extents extents) {
  Problem problem;
  problem.extents = std::move(extents);
  problem = validated(problem);
  const CostPredictor predictor(machine, ranks);
  const auto ranked = ranked_strategies(problem, predictor, Options());
  return on_devices(ranked, problem, predictor);
}

}  // namespace

TEST(OnDevices, copies_both_arrays_over_the_bus_and_walks_once_for_each_axis) {
  const auto found = predicted(with_devices(1), 1, {32, 32, 32});
  ASSERT_TRUE(found);
  const double bytes = 32.0 * 32 * 32 * 16;
  EXPECT_DOUBLE_EQ(found->cost.copies, 2 * (bytes / 1e10 + call));
  EXPECT_DOUBLE_EQ(found->cost.passes, 3 * (2 * bytes / 1e12 + call));
  EXPECT_EQ(found->cost.messages, 0);
  EXPECT_FALSE(found->streams);
}

TEST(OnDevices, are_shared_by_the_ranks_of_a_node) {
  const auto two = predicted(with_devices(2), 2, {32, 32, 32});
  const auto four = predicted(with_devices(4), 4, {32, 32, 32});
  ASSERT_TRUE(two && four);
  EXPECT_DOUBLE_EQ(two->speeds.to_device, 1e10);
  EXPECT_DOUBLE_EQ(four->speeds.to_device, 5e9);
  EXPECT_DOUBLE_EQ(four->cost.copies, two->cost.copies);
}

TEST(OnDevices, stream_what_they_cannot_hold) {
  MachineModel small = with_devices(1);
  small.devices.memory_bytes = 1 << 20;
  const auto found = predicted(small, 1, {32, 32, 32});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->streams);
  // Each pass loads over the bus and stores at the same time.
  const auto passes = static_cast<double>(found->strategy.stages.size());
  EXPECT_DOUBLE_EQ(found->cost.copies, passes * 32 * 32 * 32 * 16 / 1e10);
}

TEST(OnDevices, are_not_there_on_other_machines_and_do_not_hold_long_lines) {
  EXPECT_FALSE(predicted(cluster_100g(), 2, {32, 32, 32}));
  EXPECT_FALSE(predicted(with_devices(1), 1, {4, 1 << 16}));
}
