// exchange/message_route, exchange/message_trial: how messages of memory of devices go is the same
// on all ranks, and an MPI that cannot take them does not end the process.

#include "weft/exchange/message_route.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/late.hpp"
#include "weft/exchange/message_trial.hpp"

using namespace weft;

namespace {

// The variable of the environment while this lives.
class Asked {
 public:
  explicit Asked(const std::string& word) { setenv("WEFT_DEVICE_MESSAGES", word.c_str(), 1); }
  ~Asked() { unsetenv("WEFT_DEVICE_MESSAGES"); }
};

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
