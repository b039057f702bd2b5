// measuring/measure_machine: on a machine that is slow by its clock, time is up when it should be,
// and the machine that was measured is one all the same.

#include "weft/measuring/measure_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "weft/comm/mpi_comm.hpp"
#include "weft/machine/machine_model.hpp"
#include "weft/measuring/measure_messages.hpp"

using namespace weft;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace {

// Seconds that pass whenever somebody looks at the clock, and once more when `what` begins.
struct SlowMachine {
  double each_look = 0;
  std::string what;
  double stall = 0;
};

struct Measured {
  MachineMeasurement found;
  double seconds = 0;  // by the clock
};

Measured measured_on(const SlowMachine& machine, double seconds) {
  const Communicator world(MPI_COMM_WORLD);
  const auto time = std::make_shared<double>(0);
  MeasurementChoices choices;
  choices.seconds = seconds;
  choices.threads = 1;
  choices.clock = [=] { return *time += machine.each_look; };
  Measured measured;
  measured.found = measure_machine(world, choices, [&](const std::string& begins) {
    if (begins == machine.what) *time += machine.stall;
  });
  measured.seconds = *time;
  return measured;
}

}  // namespace

TEST(MeasuredMachine, is_complete_where_there_is_time) {
  const MachineMeasurement found = measured_on({2e-3, "", 0}, 0.3).found;
  EXPECT_THAT(found.cut_short, IsEmpty());
  EXPECT_THAT(found.passes.passes, Not(IsEmpty()));
  EXPECT_EQ(found.overlap.empty(), found.job.ranks.size() == 1);
  EXPECT_EQ(found.devices.driver, "late");
  EXPECT_THAT(found.devices.speeds, Not(IsEmpty()));
  check(machine_of(found));
}

TEST(MeasuredMachine, has_the_least_of_all_where_the_first_part_took_all_of_the_time) {
  const Measured measured = measured_on({1e-4, "measuring memory", 1000}, 15);
  const MachineMeasurement& found = measured.found;
  EXPECT_THAT(found.cut_short,
              ElementsAre("memory", "transforms in cache", "messages between pairs of ranks",
                          "messages between all ranks", "the passes of a cube",
                          "what hides behind computing", "devices"));
  // Nothing was repeated, and nothing tried that predictions do not need.
  EXPECT_LT(measured.seconds, 1001);
  EXPECT_EQ(found.engines.size(), 1U);
  EXPECT_EQ(found.engines.front().spread, 1);
  EXPECT_THAT(found.passes.passes, IsEmpty());
  EXPECT_THAT(found.overlap, IsEmpty());
  EXPECT_EQ(found.messages.pairs.size(), found.job.ranks.size() == 1 ? 0U : 1U);
  for (const SizeCurve& curve : found.messages.curves) EXPECT_EQ(curve.times.size(), 1U);
  EXPECT_GT(found.messages.message_seconds, 0);
  check(machine_of(found));
}

TEST(MeasuredMachine, is_measured_in_about_the_time_that_is_given_however_slow_it_is) {
  const Measured measured = measured_on({0.05, "", 0}, 15);
  // A part overruns its end by no more than what it does in any case.
  EXPECT_LT(measured.seconds, 30);
  check(machine_of(measured.found));
}
