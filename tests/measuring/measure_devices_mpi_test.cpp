// measuring/measure_devices on devices that are not there: all are measured, and what copies take
// is told only when they have been done. The figures say nothing.

#include "weft/measuring/measure_devices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/late.hpp"
#include "weft/measuring/job_facts.hpp"

using namespace weft;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

LateDriver::Settings two_devices(std::int64_t memory_bytes) {
  LateDriver::Settings settings;
  settings.devices = 2;
  settings.memory_bytes = memory_bytes;
  return settings;
}

// Knows which copies have been done when memory is released.
class WatchedDriver : public LateDriver {
 public:
  explicit WatchedDriver(std::int64_t memory_bytes) : LateDriver(two_devices(memory_bytes)) {}

  void copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) override {
    ++copies;
    LateDriver::copy(stream, to, from, bytes);
  }
  void release(Memory kind, void* address) noexcept override {
    late_copies += copies - done();
    LateDriver::release(kind, address);
  }
  void* open(const DeviceMemoryHandle& handle) override {
    if (refuses) throw Error(Error::system, "late: this rank maps nothing");
    return LateDriver::open(handle);
  }

  std::int64_t copies = 0, late_copies = 0;
  bool refuses = false;
};

DeviceMeasurement measured_by(WatchedDriver& driver) {
  const Communicator world(MPI_COMM_WORLD);
  return measure_devices(world, job_facts(world, {}, ""), driver, 1 << 20, TimeLimit(0.1, 60));
}

}  // namespace

TEST(MeasuredDevices, are_all_of_a_host_with_all_their_speeds) {
  WatchedDriver driver(1 << 20);
  const DeviceMeasurement found = measured_by(driver);
  ASSERT_EQ(found.speeds.size(), 2U);
  for (std::size_t device = 0; device < 2; ++device) {
    const DeviceSpeed& speed = found.speeds[device];
    const DeviceSpeed::Figures& figures = speed.figures;
    EXPECT_EQ(speed.rank, 0);
    EXPECT_EQ(figures.number, static_cast<int>(device));
    EXPECT_EQ(speed.name, "late device");
    EXPECT_EQ(speed.bus, "0000:0" + std::to_string(device) + ":00.0");
    for (const double each : {figures.copy, figures.up_pageable, figures.up_registered,
                              figures.down_pageable, figures.down_registered, figures.both_ways})
      EXPECT_GT(each, 0);
    EXPECT_EQ(figures.memory_peak, 0);
  }
}

TEST(MeasuredDevices, have_done_all_copies_before_times_are_told) {
  WatchedDriver driver(1 << 20);
  measured_by(driver);
  EXPECT_EQ(driver.late_copies, 0);
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_GT(world.max(driver.copies), 0);
}

TEST(MeasuredDevices, are_copied_between_all_pairs_of_ranks_of_a_host) {
  const int ranks = std::min(Communicator(MPI_COMM_WORLD).size(), 8);
  WatchedDriver driver(1 << 20);
  const DeviceMeasurement found = measured_by(driver);
  EXPECT_THAT(found.why_no_pairs, IsEmpty());
  ASSERT_EQ(found.pairs.size(), static_cast<std::size_t>(ranks * (ranks - 1) / 2));
  if (ranks < 2) return;
  // The first ranks have device 0, and the last ones device 1.
  const auto of_last = std::ranges::find(found.pairs, ranks - 1, &DevicePair::second);
  EXPECT_EQ(of_last->first, 0);
  EXPECT_EQ(of_last->first_device, 0);
  EXPECT_EQ(of_last->second_device, 1);
  for (const DevicePair& pair : found.pairs) EXPECT_GT(pair.bytes_per_second, 0);
}

TEST(MeasuredDevices, of_ranks_that_cannot_map_memory_tell_all_ranks_why) {
  const Communicator world(MPI_COMM_WORLD);
  WatchedDriver driver(1 << 20);
  driver.refuses = world.rank() == 1;
  const DeviceMeasurement found = measured_by(driver);
  if (world.size() == 1) return;
  EXPECT_THAT(found.why_no_pairs, HasSubstr("late: this rank maps nothing"));
  EXPECT_THAT(found.pairs, IsEmpty());
  EXPECT_EQ(found.speeds.size(), 2U);
}

TEST(MeasuredDevices, that_have_no_memory_left_are_an_error_on_all_ranks) {
  WatchedDriver driver(4096);
  try {
    measured_by(driver);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("late: cannot allocate 4096 bytes of device memory"));
  }
}

TEST(CommonDriver, is_one_of_the_table_or_there_is_a_reason) {
  const CommonDriver common = common_driver(Communicator(MPI_COMM_WORLD));
  if (common.number >= 0) {
    EXPECT_LT(common.number, static_cast<int>(device_drivers().size()));
    return;
  }
  for (const DriverEntry& entry : device_drivers())
    EXPECT_THAT(common.why_none, HasSubstr(entry.name + ": " + entry.applies().value_or("?")));
}
