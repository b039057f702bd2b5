// plan/fastest_engine: plans whose engine is "fastest" take processors or devices, the same on all
// ranks, tell why, and compute what others do. The device is the late one, or that of
// WEFT_TEST_ENGINE. Speeds are nominal, so that the choice does not depend on this machine.

#include <gtest/gtest.h>

#include <string>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/tested_driver.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using test::expect_error;
using test::of;

Options fastest(Effort effort = Effort::estimate) {
  Options options;
  options.engine = "fastest";
  options.effort = effort;
  options.threads = 1;
  return options;
}

// The driver of devices that a plan has taken; empty: none. All ranks have the same.
std::string driver_of(const AnyPlan& plan) {
  const std::string engine = plan.report().engine;
  const int is_device = plan.report().device.empty() ? 0 : 1;
  int devices = 0;
  MPI_Allreduce(&is_device, &devices, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(devices, is_device * test::ranks_of_world());
  return is_device == 1 ? engine : "";
}

void expect_right(AnyPlan& plan) {
  const test::Reference& reference = test::known_reference(plan.problem(), 31);
  const auto failure = test::check_plan(plan, reference);
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

}  // namespace

TEST(FastestEngine, small_fields_stay_on_processors_and_large_ones_do_not) {
  AnyPlan small(MPI_COMM_WORLD, of({8, 9, 10}, Kind::r2c), fastest());
  EXPECT_EQ(driver_of(small), "");
  expect_right(small);
  const AnyPlan large(MPI_COMM_WORLD, of({96, 96, 96}), fastest());
  const std::string taken = driver_of(large);
  if (test::ranks_of_world() == 1) {  // others may share a bus
    EXPECT_EQ(taken, test::tested_driver());
    expect_error(large.describe(Detail::all), "of which 2.379 ms for copies");  // 96^3 * 32 / 12e9
  }
  for (const AnyPlan* const plan : {&std::as_const(small), &large})
    for (const Detail detail : {Detail::summary, Detail::all}) {
      const std::string text = plan->describe(detail);
      expect_error(text, "ms on processors, ");
      expect_error(text, "ms on " + test::tested_driver() + ": of which ");
      expect_error(text, "nominal");
    }
}

TEST(FastestEngine, either_choice_computes_what_others_do) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    if (test::ranks_of_world() > 4) return;
    Problem field = of({40, 7, 48}, kind);
    if (kind == Kind::c2c) {
      AnyPlan plan(MPI_COMM_WORLD, field, fastest(Effort::measure));
      expect_error(plan.describe(Detail::all), "(measured ");
      driver_of(plan);
      expect_right(plan);
    }
    field.cutoff = kind == Kind::c2c ? Cutoff::sphere(3) : Cutoff();
    AnyPlan other(MPI_COMM_WORLD, field, fastest());
    driver_of(other);
    expect_right(other);
  }
}

TEST(FastestEngine, a_field_that_devices_cannot_hold_is_predicted_to_stream) {
  Options options = fastest();
  options.device_memory_limit = 1 << 16;
  AnyPlan plan(MPI_COMM_WORLD, of({96, 96, 96}), options);
  const std::string taken = driver_of(plan), text = plan.describe(Detail::all);
  if (test::ranks_of_world() > 1) return;
  EXPECT_EQ(taken, test::tested_driver());
  expect_error(text, "of which 3.539 ms for copies");  // 3 passes of 96^3 * 16 / 12e9
  expect_error(text, "stream through devices");
}

TEST(FastestEngine, processors_compute_what_no_device_can_and_say_why) {
  // No block of threads holds a line of such a prime.
  AnyPlan plan(MPI_COMM_WORLD, of({2, 3, 10007}), fastest());
  EXPECT_EQ(driver_of(plan), "");
  expect_error(plan.describe(Detail::all), "processors compute, as " + test::tested_driver());
}

TEST(FastestEngine, what_it_cannot_choose_for_is_refused) {
  int stream = 0;
  Options options = fastest();
  options.stream = &stream;
  expect_error(test::planning_error(of({8, 8, 8}), options), "a stream of a device");
  expect_error(test::planning_error(of({8, 8, 8}), fastest(Effort::tune)), "tuning measures");
  options = fastest();
  options.device = 1 << 10;
  EXPECT_NE(test::planning_error(of({8, 8, 8}), options), "no error");
}

TEST(FastestEngine, a_strategy_says_what_computes) {
  if (test::ranks_of_world() > 1) return;
  Options options = fastest();
  options.strategy = test::tested_driver() + " | from 1x1x1 | fft 2 | fft 1 | fft 0";
  EXPECT_EQ(driver_of(AnyPlan(MPI_COMM_WORLD, of({8, 8, 8}), options)), test::tested_driver());
}

}  // namespace weft
