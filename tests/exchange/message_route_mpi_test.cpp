// exchange/message_route, exchange/message_trial: how messages of memory of devices go is the same
// on all ranks, and an MPI that cannot take them does not end the process.

#include "weft/exchange/message_route.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "support/late_nccl_here.hpp"
#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/late.hpp"
#include "weft/exchange/message_trial.hpp"

using namespace weft;
using test::LateNcclHere;

namespace {

// As many devices as ranks, of which this one has that of its number.
LateDriver::Settings one_each(const Communicator& comm) {
  LateDriver::Settings settings;
  settings.devices = comm.size();
  return settings;
}

std::string refusal_of(const Communicator& comm, const Device& device) {
  try {
    message_route(comm, "late", device);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

using Asked = test::AskedRoute;

std::string text_of(const Communicator& comm, LateDriver& driver) {
  return message_route(comm, "late", {&driver, 0}).text;
}

}  // namespace

TEST(MessageTrial, hears_of_an_MPI_that_takes_the_memory_for_the_processors) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver({});
  for (int time = 0; time < 2; ++time)
    EXPECT_EQ(why_not_direct(comm, driver, 0),
              "MPI touches memory of the device as if it were the processor's");
}

// Memory that both can use: what MPI does then is what it has to do.
TEST(MessageTrial, finds_that_messages_and_collectives_arrive) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver({});
  EXPECT_EQ(why_not_direct(comm, driver, 0, Memory::managed), "");
}

TEST(MessageTrial, ends_alike_on_all_ranks_if_one_cannot) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver({});
  const Memory kind = comm.rank() == comm.size() - 1 ? Memory::device : Memory::managed;
  EXPECT_EQ(why_not_direct(comm, driver, 0, kind),
            "MPI touches memory of the device as if it were the processor's");
}

TEST(MessageTrial, is_an_error_on_all_ranks_if_one_has_no_memory) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver::Settings settings;
  if (comm.rank() == comm.size() - 1) settings.memory_bytes = 4096;
  LateDriver driver(settings);
  EXPECT_THROW(why_not_direct(comm, driver, 0), Error);
}

TEST(MessageRoute, goes_through_the_processor_where_MPI_claims_nothing) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver({});
  const MessageRoute route = message_route(comm, "late", {&driver, 0});
  EXPECT_FALSE(route.direct);
  EXPECT_EQ(route.text, "messages go through registered memory of the processor: " + mpi_version() +
                            " does not claim to take memory of devices");
}

TEST(MessageRoute, is_what_the_environment_says) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver({});
  {
    const Asked staged("staged");
    EXPECT_FALSE(message_route(comm, "late", {&driver, 0}).direct);
    EXPECT_EQ(
        text_of(comm, driver),
        "messages go through registered memory of the processor: WEFT_DEVICE_MESSAGES=staged");
  }
  const Asked direct("direct");
  EXPECT_TRUE(message_route(comm, "late", {&driver, 0}).direct);
  EXPECT_EQ(text_of(comm, driver),
            "MPI takes messages from memory of the devices: WEFT_DEVICE_MESSAGES=direct");
}

TEST(MessageRoute, refuses_other_words_and_different_ones) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver({});
  {
    const Asked something("fast");
    EXPECT_THROW(message_route(comm, "late", {&driver, 0}), Error);
  }
  if (comm.size() == 1) return;
  const Asked different(comm.rank() == 0 ? "staged" : "direct");
  EXPECT_THROW(message_route(comm, "late", {&driver, 0}), Error);
}

TEST(MessageRoute, is_of_no_interest_to_a_process_alone) {
  LateDriver driver({});
  EXPECT_EQ(message_route(Communicator::alone(), "late", {&driver, 0}).text, "");
}

TEST(MessageRoute, goes_by_NCCL_where_that_is_asked_for) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(one_each(comm));
  const LateNcclHere nccl(driver);
  const Asked asked("nccl");
  const MessageRoute route = message_route(comm, "late", {&driver, comm.rank()});
  EXPECT_FALSE(route.direct);
  EXPECT_NE(route.channel, nullptr);
  EXPECT_EQ(route.text,
            "messages go from device to device by NCCL 2.28.3, whose trial has succeeded; those of "
            "a transform that is under way at the same time as one of another plan, through "
            "registered memory: WEFT_DEVICE_MESSAGES=nccl");
}

TEST(MessageRoute, takes_NCCL_by_itself_where_a_thread_makes_progress) {
  const Communicator comm(MPI_COMM_WORLD);
  LateDriver driver(one_each(comm));
  const LateNcclHere nccl(driver);
  EXPECT_NE(message_route(comm, "late", {&driver, comm.rank()}, true).channel, nullptr);
  const MessageRoute route = message_route(comm, "late", {&driver, comm.rank()});
  EXPECT_EQ(route.channel, nullptr);
  EXPECT_THAT(route.text,
              testing::StartsWith(
                  "messages go through registered memory of the processor: " + mpi_version() +
                  " does not claim to take memory of devices; NCCL 2.28.3 is taken "
                  "with Progress::by_thread, or WEFT_DEVICE_MESSAGES=nccl"));
}

TEST(MessageRoute, tells_why_NCCL_does_not_apply) {
  const Communicator comm(MPI_COMM_WORLD);
  if (comm.size() == 1) return;
  LateDriver driver(one_each(comm));
  {
    const Asked asked("nccl");
    EXPECT_EQ(refusal_of(comm, {&driver, comm.rank()}),
              "messages cannot go by nccl: there is no NCCL for such devices");
    const LateNcclHere nccl(driver);
    EXPECT_EQ(refusal_of(comm, {&driver, std::max(0, comm.rank() - 1)}),
              "messages cannot go by nccl: NCCL takes one rank a device, and rank 1 shares that of "
              "another rank");
    late_nccl_faults().fails_to_start = 1;
    EXPECT_EQ(refusal_of(comm, {&driver, comm.rank()}),
              "messages cannot go by nccl: NCCL: the communicator fails: unhandled system error");
    late_nccl_faults() = {};
    late_nccl_faults().version = comm.rank() == 0 ? 22803 : 22000;
    pretend_nccl("late", late_nccl(driver));
    EXPECT_EQ(refusal_of(comm, {&driver, comm.rank()}),
              "messages cannot go by nccl: ranks find different versions of NCCL: 22000 and 22803");
    late_nccl_faults().version = comm.rank() == 0 ? 22803 : 21700;
    pretend_nccl("late", late_nccl(driver));
    EXPECT_EQ(refusal_of(comm, {&driver, comm.rank()}),
              "messages cannot go by nccl: on rank 1, NCCL 2.17.0 is too old: 2.18.0 is needed");
  }
  const LateNcclHere nccl(driver);
  late_nccl_faults().group_that_is_lost = 0;
  EXPECT_THAT(message_route(comm, "late", {&driver, comm.rank()}, true).text,
              testing::HasSubstr("does not claim to take memory of devices; NCCL does not deliver "
                                 "what was in memory of the device"));
}
