// exchange/nccl_channel: messages from device to device arrive, and what fails on one rank is the
// same error on all, of which nobody waits for ever.

#include "weft/exchange/nccl_channel.hpp"

#include <gmock/gmock.h>

#include <memory>

#include "support/late_nccl_here.hpp"
#include "support/tested_driver.hpp"
#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"

using namespace weft;
using test::LateNcclHere;

namespace {

std::vector<int> everybody(const Communicator& comm) {
  std::vector<int> ranks;
  for (int rank = 0; rank < comm.size(); ++rank) ranks.push_back(rank);
  return ranks;
}

LateDriver::Settings late_devices(const Communicator& comm, unsigned seed) {
  LateDriver::Settings settings;
  settings.seed = seed + static_cast<unsigned>(comm.rank());
  settings.lateness = seed % 2 == 0 ? Lateness::random : Lateness::laziest;
  return settings;
}

template <class Body>
std::string error_thrown_by(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

// Makes a channel, and moves messages between all ranks.
std::string error_of_channel(const Communicator& comm, DeviceDriver& driver, double patience = 60,
                             const std::string& name = "late") {
  return error_thrown_by([&] {
    NcclChannel channel(comm, nccl_library(name), {&driver, 0}, patience);
    for (const std::int64_t bytes : {1, 64, 12345})
      channel.try_messages(comm, everybody(comm), everybody(comm), bytes);
  });
}

}  // namespace

TEST(NcclChannel, moves_messages_between_all_ranks_however_late_they_are) {
  const Communicator comm(MPI_COMM_WORLD);
  for (const unsigned seed : {1U, 2U}) {
    LateDriver driver(late_devices(comm, seed));
    const LateNcclHere nccl(driver);
    EXPECT_EQ(error_of_channel(comm, driver), "no error");
  }
}

// All that NCCL does where a machine has one device: with WEFT_TEST_ENGINE=cuda, on that.
TEST(NcclChannel, moves_messages_of_a_rank_to_itself) {
  const Communicator comm(MPI_COMM_SELF);
  LateDriver late(late_devices(comm, 2));
  const LateNcclHere late_nccl(late);
  const std::string name = test::tested_driver();
  if (!nccl_library(name).functions) GTEST_SKIP() << nccl_library(name).text();
  DeviceDriver& driver = name == "late" ? late : find_driver(name).get();
  EXPECT_EQ(error_of_channel(comm, driver, 60, name), "no error") << nccl_library(name).text();
}

TEST(NcclChannel, is_an_error_on_all_ranks_where_one_cannot_start) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(late_devices(comm, 2));
  const LateNcclHere nccl(driver);
  late_nccl_faults().fails_to_begin = comm.size() - 1;
  EXPECT_EQ(error_of_channel(comm, driver),
            "NCCL: ncclCommInitRankConfig fails: unhandled system error");
  late_nccl_faults() = {};
  late_nccl_faults().fails_to_start = comm.size() / 2;
  EXPECT_EQ(error_of_channel(comm, driver), "NCCL: the communicator fails: unhandled system error");
  late_nccl_faults() = {};
  EXPECT_EQ(error_of_channel(comm, driver), "no error");
}

TEST(NcclChannel, does_not_wait_for_ever_for_a_rank_that_does_not_come) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(late_devices(comm, 1));
  const LateNcclHere nccl(driver);
  late_nccl_faults().never_starts = 0;
  EXPECT_EQ(error_of_channel(comm, driver, 0.2), "NCCL does not start within 0.2 s");
}

TEST(NcclChannel, hears_of_errors_in_groups) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(late_devices(comm, 2));
  const LateNcclHere nccl(driver);
  for (int* const fault :
       {&late_nccl_faults().fails_in_group, &late_nccl_faults().breaks_in_group}) {
    late_nccl_faults() = {};
    *fault = comm.size() - 1;
    late_nccl_faults().group = 1;
    EXPECT_THAT(error_of_channel(comm, driver),
                testing::HasSubstr("remote process exited or there was a network error"));
  }
  late_nccl_faults() = {};
  late_nccl_faults().group_that_is_lost = 2;
  EXPECT_EQ(error_of_channel(comm, driver),
            "NCCL does not deliver what was in memory of the device");
}

// NCCL itself waits for the other ranks of the node.
TEST(NcclChannel, ends_without_a_wait_for_other_ranks) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(late_devices(comm, 1));
  const LateNcclHere nccl(driver);
  for (const bool fails : {false, true}) {
    auto channel = std::make_unique<NcclChannel>(comm, nccl_library("late"), Device{&driver, 0});
    if (comm.rank() != 0) MPI_Barrier(MPI_COMM_WORLD);
    if (fails) channel->give_up(ErrorRecord(Error(Error::system, "the power is gone")));
    channel.reset();
    if (comm.rank() == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
}

// Libraries take the device that is current in the application, unless they are told another one.
TEST(NcclChannel, is_on_the_device_that_it_is_given) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver::Settings settings = late_devices(comm, 2);
  settings.devices = 2;
  LateDriver driver(settings);
  const LateNcclHere nccl(driver);
  NcclChannel channel(comm, nccl_library("late"), {&driver, 1});
  EXPECT_EQ(
      error_thrown_by([&] { channel.try_messages(comm, everybody(comm), everybody(comm), 100); }),
      "no error");
}

TEST(NcclChannel, starts_nothing_after_its_end) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(late_devices(comm, 1));
  const LateNcclHere nccl(driver);
  NcclChannel channel(comm, nccl_library("late"), {&driver, 0});
  channel.give_up(ErrorRecord(Error(Error::system, "the power is gone")));
  EXPECT_EQ(error_thrown_by([&] { channel.start({}, {}); }), "the power is gone");
  EXPECT_EQ(error_thrown_by([&] { channel.has_started(); }), "the power is gone");
}

TEST(GroupTurns, are_in_the_order_of_starts_and_of_one_plan_at_a_time) {
  GroupTurns plan, other;
  GroupTurns::Turn first(&plan), second(&plan), third(&other), none(nullptr);
  EXPECT_TRUE(first.enter());
  EXPECT_TRUE(second.enter());
  EXPECT_FALSE(third.enter()) << "another plan has groups";
  EXPECT_FALSE(none.enter());
  EXPECT_TRUE(first.is_next());
  EXPECT_FALSE(second.is_next());
  first.pass();
  EXPECT_TRUE(second.is_next());
  first.leave();
  third.leave();
  EXPECT_FALSE(third.enter()) << "a run of the plan is left";
  third.leave();
  second.leave();
  EXPECT_TRUE(third.enter());
  EXPECT_TRUE(third.is_next());
}
