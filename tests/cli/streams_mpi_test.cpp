// cli/bench: what streams of devices do is in traces and in JSON where it is known, and only there.

#include <gmock/gmock.h>

#include "support/tested_driver.hpp"
#include "support/world.hpp"
#include "weft/cli/bench/bench.hpp"
#include "weft/cli/bench/bench_report.hpp"
#include "weft/cli/bench/bench_trace.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;

// A field of the processor's that a late device transforms, so that it is copied there and back.
std::vector<Measurement> measured(const std::string& engine, bool with_spans) {
  const Communicator comm(MPI_COMM_WORLD);
  Console console(false);
  Case of{Problem{}, Options{}};
  of.problem.extents = {12, 10, 14};
  of.options.engine = engine;
  of.options.exchange = "p2p";
  Repetition repetition;
  repetition.repeat = 1;
  if (!engine.empty()) repetition.memory = Memory::registered;
  return measure({comm, console}, {of}, repetition, with_spans);
}

TEST(Streams, are_rows_of_a_trace_and_tell_what_of_the_copies_was_hidden) {
  const std::vector<Measurement> all = measured("late", true);
  const Measurement& m = all.front();
  EXPECT_GT(m.copied_bytes.value_or(0), 0);
  ASSERT_TRUE(m.hidden_copy_share);
  EXPECT_GE(*m.hidden_copy_share, 0);
  EXPECT_LE(*m.hidden_copy_share, 1);
  for (const bool is_forward : {true, false})
    for (int rank = 0; rank < test::ranks_of_world(); ++rank)
      for (const char* const stream : {"passes", "copies from the device", "copies to the device"})
        EXPECT_THAT(m.spans, Contains(testing::Truly([&](const Measurement::Span& span) {
                      return span.rank == rank && span.is_forward == is_forward &&
                             span.stream == stream && span.seconds > 0;
                    })))
            << rank << " " << stream;
  EXPECT_THAT(trace_of(all), HasSubstr("rank 0, copies to the device"));
  EXPECT_THAT(json_of(all), HasSubstr("hidden_copy_share"));
}

TEST(Streams, are_not_told_of_where_they_are_not_known) {
  const Measurement untimed = measured("late", false).front();
  EXPECT_TRUE(untimed.copied_bytes);
  EXPECT_FALSE(untimed.hidden_copy_share);
  if (test::driver_of_environment().empty()) {
    const std::string json = json_of(measured("", true));
    EXPECT_THAT(json, testing::Not(HasSubstr("copied_bytes")));
    EXPECT_THAT(json, testing::Not(HasSubstr("hidden_copy_share")));
  }
}

}  // namespace
}  // namespace weft::cli
