// plan/device: plans on devices compute what plans on the processor compute. The device is the late
// one, or that of WEFT_TEST_ENGINE.

#include <gmock/gmock.h>

#include <complex>
#include <string>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/tested_driver.hpp"
#include "support/world.hpp"
#include "weft/device/driver.hpp"
#include "weft/device/late.hpp"
#include "weft/fft/engine.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using test::rank_of_world;
using test::ranks_of_world;
using test::tested_driver;
using Complex = std::complex<double>;

Options on_device(const std::string& strategy = "") {
  Options options;
  options.engine = tested_driver();
  options.strategy = strategy;
  return options;
}

Options on_processor() {
  Options options;
  for (const EngineEntry& entry : engines())
    if (options.engine.empty() && !entry.applies()) options.engine = entry.name;
  return options;
}

Complex value_at(const Dims& at) {
  return {std::sin(1.0 + static_cast<double>(at[0] * 3 + at[1])),
          std::cos(static_cast<double>(at[2] * at[0] + 2 * at[1]))};
}

// Runs a plan there and back, on arrays in memory of this kind, beside one on the processor.
void expect_right(TypedProblem<Complex, Complex> problem, const Options& options, Memory kind) {
  const auto trace = to_string(kind) + (" " + options.strategy) + " " + options.exchange;
  auto plan = Plan(MPI_COMM_WORLD, problem, options);
  problem.in_place = false;
  problem.input = Distribution::of_my_boxes(plan.input().boxes);
  auto here = Plan(MPI_COMM_WORLD, problem, on_processor());
  auto u = here.make_input(), v = here.make_output(), w = here.make_output();
  for (auto [at, x] : u.points()) x = value_at(at);
  here.forward(u, v);
  auto mine = plan.make_input(kind);
  auto spectrum = plan.any().problem().in_place ? plan.output_in(mine) : plan.make_output(kind);
  copy(u, mine);
  plan.forward(mine, spectrum);
  copy(spectrum, w);
  EXPECT_LT(max_abs_difference(v, w), 1e-9) << trace;
  plan.backward(spectrum, mine);
  copy(mine, w);
  EXPECT_LT(max_abs_difference(u, w), 1e-12) << trace;
}

TypedProblem<Complex, Complex> natural(const Extents& extents, bool in_place) {
  auto problem = c2c(extents);
  problem.output.form = Distribution::same;
  problem.in_place = in_place;
  return problem;
}

}  // namespace

TEST(Device, transforms_arrays_in_memory_of_every_kind) {
  for (const Memory kind : {Memory::device, Memory::managed, Memory::registered, Memory::host})
    for (const bool in_place : {false, true})
      if (ranks_of_world() == 1 || (kind == Memory::managed && in_place))
        expect_right(natural({12, 10, 14}, in_place), on_device(), kind);
}

TEST(Device, moves_data_by_every_exchange) {
  for (const char* const exchange : {"p2p", "alltoallv", "alltoall", "alltoallw", "node", "shared"})
    for (const bool in_place : {false, true}) {
      if (ranks_of_world() > 2 && in_place) continue;
      Options options = on_device();
      options.exchange = exchange;
      expect_right(natural({7, 6, 8}, in_place), options, in_place ? Memory::host : Memory::device);
    }
}

TEST(Device, takes_exchanges_that_move_arrays_themselves) {
  const std::string ranks = std::to_string(ranks_of_world());
  for (const bool in_place : {false, true})
    expect_right(natural({12, 12, 10}, in_place),
                 on_device(tested_driver() + " | from " + ranks + "x1x1 | alltoallw to 1x1x" +
                           ranks + " | fft 0 | fft 1 | alltoallw to " + ranks + "x1x1 | fft 2"),
                 Memory::device);
}

// A block of the late device holds lines of 2048 points, and the planner sees longer ones as two.
TEST(Device, transforms_lines_that_no_block_holds) {
  for (const Extents& extents : {Extents{2187}, Extents{2, 2100}})
    for (const bool in_place : {false, true}) {
      if (in_place && (extents.size() == 1 || ranks_of_world() > 4)) continue;
      Problem problem = test::of(extents);
      problem.in_place = in_place;
      problem.output.form = in_place ? Distribution::same : Distribution::free;
      AnyPlan plan(MPI_COMM_WORLD, problem, on_device());
      const auto failure = test::check_plan(plan, test::known_reference(validated(problem), 7));
      EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
      if (tested_driver() == "late") {
        EXPECT_NE(plan.describe().find("split"), std::string::npos) << plan.describe();
      }
    }
}

// What is enqueued in a stream of the application is in order there, and nobody waits for it.
TEST(Device, runs_in_a_stream_of_the_application) {
  DeviceDriver& driver = find_driver(tested_driver()).get();
  driver.select(0);
  const DeviceStream stream = driver.make_stream(0);
  {
    auto here = Plan(c2c({12, 10, 14}), on_processor());
    auto u = here.make_input(), v = here.make_output(), w = here.make_output();
    for (auto [at, x] : u.points()) x = value_at(at);
    here.forward(u, v);
    Options options = on_device();
    options.stream = stream.handle;
    auto plan = Plan(c2c({12, 10, 14}), options);
    auto mine = plan.make_input(Memory::device), sums = plan.make_output(Memory::device);
    auto back = plan.make_input(Memory::registered);
    const std::int64_t bytes = u.size() * static_cast<std::int64_t>(sizeof(Complex));
    for (int times = 0; times < 3; ++times) {
      driver.copy(stream, mine.data(), u.data(), bytes);
      plan.forward(mine, sums);
      plan.backward(sums, mine);
      driver.copy(stream, back.data(), mine.data(), bytes);
    }
    driver.await(stream);
    EXPECT_LT(max_abs_difference(u, back), 1e-12);
    copy(sums, w);
    EXPECT_LT(max_abs_difference(v, w), 1e-9);
  }
  driver.destroy(stream);
}

TEST(Device, takes_no_stream_of_another_device) {
  DeviceDriver& driver = find_driver(tested_driver()).get();
  if (driver.devices() < 2) GTEST_SKIP() << "there is one device";
  driver.select(1);
  const DeviceStream other = driver.make_stream(0);
  driver.select(0);
  const DeviceStream own = driver.make_stream(0);
  Options options = on_device();
  options.device = 0;
  options.stream = (ranks_of_world() > 1 && rank_of_world() == 0 ? own : other).handle;
  try {
    Plan plan(MPI_COMM_WORLD, c2c({8, 8, 8}), options);
    ADD_FAILURE() << "made";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("the stream that is given cannot be used on device "
                                   "0: it is a stream of device 1"));
  }
  driver.destroy(own);
  driver.destroy(other);
}

TEST(Device, errors_are_the_same_on_all_ranks) {
  const auto text_of = [](const Options& options, const Extents& extents) -> std::string {
    try {
      Plan plan(MPI_COMM_WORLD, c2c(extents), options);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  Options options = on_device();
  options.device = 7;
  EXPECT_NE(text_of(options, {8, 8, 8}).find("device 7"), std::string::npos);
  for (const DriverEntry& entry : device_drivers()) {
    if (!entry.applies()) continue;
    options.engine = entry.name;
    EXPECT_NE(text_of(options, {8, 8, 8}).find("'" + entry.name + "' does not apply on rank 0"),
              std::string::npos);
  }
  if (tested_driver() == "late") {  // others may have a library for this prime
    EXPECT_NE(text_of(on_device(), {8, 8, 32771}).find("32771"), std::string::npos);
  }
}

// No kernel works on the arrays after the error.
TEST(Device, has_done_all_that_is_enqueued_when_a_run_has_failed) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank cannot disagree";
  auto* const late = dynamic_cast<LateDriver*>(&find_driver(tested_driver()).get());
  for (const std::int64_t limit : {0, 6 * 300}) {
    Options options = on_device();
    options.device_memory_limit = limit;
    // Never freed, as MPI may still use it.
    auto& plan = *new Plan(MPI_COMM_WORLD, c2c({12, 13, 14}), options);
    auto &u = *new auto(plan.make_input()), &v = *new auto(plan.make_output());
    for (auto [at, x] : u.points()) x = value_at(at);
    EXPECT_THROW(plan.forward(u, v, rank_of_world() == 0 ? 2 : 3), Error);
    if (late == nullptr) continue;
    const std::int64_t done = late->done();
    late->select(0);
    late->release(Memory::device, late->allocate(Memory::device, 8));  // ends all that is enqueued
    EXPECT_EQ(late->done(), done) << limit;
  }
}

TEST(Device, fields_on_it_have_no_points_that_can_be_seen) {
  auto plan = Plan(c2c({4, 4, 4}), on_device());
  auto field = plan.make_input(Memory::device);
  EXPECT_THROW(field.points(), Error);
  EXPECT_THROW(Plan(c2c({4, 4, 4}), on_processor()).make_input(Memory::device), Error);
  EXPECT_THROW(plan.any().allocate(std::int64_t{1} << 40, Memory::device), Error);
  auto other = plan.make_input();
  EXPECT_EQ(other.kind(), Memory::registered);
  for (auto [at, x] : other.points()) x = value_at(at);
  copy(other, field);
  auto again = plan.make_input(Memory::host);
  copy(field, again);
  EXPECT_EQ(max_abs_difference_here(other, again), 0);
}

}  // namespace weft
