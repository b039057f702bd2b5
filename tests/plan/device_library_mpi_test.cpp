// plan: plans on devices whose library of transforms is asked for, is needed, or is raced, against
// direct sums; and what happens where it fails. The device is the late one, with a library that
// computes on the processor when a stream comes to it; or, with WEFT_TEST_ENGINE=cuda, one that has
// cuFFT.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/tested_driver.hpp"
#include "support/world.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/device_library.hpp"
#include "weft/device/driver.hpp"
#include "weft/device/late.hpp"
#include "weft/device/late_fft.hpp"
#include "weft/plan/raced_plans.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using test::check_plan;
using test::of;
using test::planning_error;
using test::quick;
using test::rank_of_world;
using test::ranks_of_world;
using test::tested_driver;
using testing::HasSubstr;

// On the late device, or on one that WEFT_TEST_ENGINE names.
class DeviceLibrary : public testing::Test {
 protected:
  void SetUp() override {
    if (driver == "late") return;
    try {
      find_driver(driver).get().fft();
    } catch (const Error& error) {
      GTEST_SKIP() << error.message();
    }
  }

  const std::string driver = tested_driver(), library = driver_entry(driver)->library,
                    by_library = "by " + library;
};

// With libraries that are told how to behave, and with blocks of the late device's size.
class LateLibrary : public DeviceLibrary {
 protected:
  void SetUp() override {
    if (driver != "late") GTEST_SKIP() << "for late devices";
  }
};

// The late devices have a library while this lives.
class WithLibrary {
 public:
  explicit WithLibrary(const LateFft::Settings& settings = {})
      : driver_(dynamic_cast<LateDriver&>(find_driver("late").get())) {
    auto fft = std::make_unique<LateFft>(driver_, settings);
    fft_ = fft.get();
    driver_.give_fft(std::move(fft));
  }
  WithLibrary(const WithLibrary&) = delete;
  WithLibrary& operator=(const WithLibrary&) = delete;
  ~WithLibrary() { driver_.give_fft(nullptr); }
  const LateFft& fft() const { return *fft_; }

 private:
  LateDriver& driver_;
  LateFft* fft_ = nullptr;
};

Options asking(const std::string& engine, const std::string& strategy = "") {
  Options options = quick();
  options.engine = engine;
  options.strategy = strategy;
  return options;
}

// Runs on arrays of the plan's and on others. Returns the strategy.
std::string right_strategy(const Problem& problem, const Options& options,
                           const test::RunsOf& runs = {}) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const test::Reference& reference = test::known_reference(plan.problem(), 41);
  const auto failure = check_plan(plan, reference, nullptr, runs);
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
  return plan.strategy();
}

// What a race of a plan on the late device tells, which has as much time as it needs.
RacedChoices raced(const Problem& problem) {
  const Options options = asking("late");
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const PlanBody& body = test::body_of(plan);
  Blueprint blueprint = Blueprint::of(as_r2c(body.problem()), body.strategy(), body.machine());
  blueprint.largest_tag = 1 << 14;
  const Share in = plan.input(), out = plan.output();
  const std::int64_t bytes = (in.elements + out.elements) * 16;
  constexpr double seconds = 1000;  // it ends after some turns
  return raced_device_library(
      {body.comm(), raced_plans(body.comm()), problem, options, bytes, false}, blueprint, seconds);
}

}  // namespace

TEST_F(DeviceLibrary, transforms_all_that_it_can_where_it_is_asked_for) {
  const WithLibrary late;
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const bool in_place : {false, true}) {
      Problem problem = of({9, 6, 10}, kind);
      problem.in_place = in_place;
      problem.batch = in_place ? 1 : 2;
      if (ranks_of_world() > 2 && kind == Kind::c2r && !in_place) continue;
      problem.precision = in_place ? Precision::single_precision : Precision::double_precision;
      const std::string strategy = right_strategy(problem, asking(library));
      EXPECT_THAT(strategy, HasSubstr(by_library));
      if (ranks_of_world() == 1 && in_place) {
        EXPECT_EQ(strategy, driver + " | from 1x1x1 | fft 2,1,0 " + by_library);
      }
    }
  if (driver != "late") return;
  EXPECT_GT(late.fft().enqueued(), 0);
  EXPECT_EQ(late.fft().plans(), 0);
}

TEST_F(DeviceLibrary, multiplies_and_leaves_the_source_as_it_is) {
  for (const bool keeps_sources : {true, false}) {
    const WithLibrary late({.keeps_sources = keeps_sources});
    for (const Kind kind : {Kind::c2c, Kind::r2c})
      for (const bool in_place : {false, true}) {
        Problem problem = of({6, 7, 8}, kind);
        problem.in_place = in_place;
        problem.output = in_place ? Distribution() : Distribution::same;
        test::RunsOf runs(Arrays::any);
        runs.scale = -3;
        runs.scale_back = 0.25;
        runs.in_two_arrays = in_place && rank_of_world() % 2 == 0;
        right_strategy(problem, asking(library), runs);
      }
  }
}

TEST_F(LateLibrary, takes_lines_that_no_block_holds) {
  if (ranks_of_world() > 2) return;
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    const Problem problem = of({3, kind == Kind::c2c ? 2053 : 4099}, kind);
    EXPECT_THAT(planning_error(problem, asking("late")), HasSubstr("does not fit a block"));
    const WithLibrary late;
    EXPECT_THAT(right_strategy(problem, asking("late")), HasSubstr("fft 1 by latefft"));
  }
}

// Axes that are no Fourier transforms, or not stored as a whole, stay with weft's kernels.
TEST_F(DeviceLibrary, leaves_to_kernels_what_it_does_not_have) {
  const WithLibrary late;
  Problem sums = of({8, 9, 10}, Kind::r2c);
  sums.bases = parse_bases("scf");
  EXPECT_THAT(right_strategy(sums, asking(library)), HasSubstr(by_library));
  Problem pruned = of({8, 9, 10});
  pruned.modes = {8, 9, 7};
  EXPECT_THAT(right_strategy(pruned, asking(library)), HasSubstr("fft 2 |"));
  Problem ball = of({9, 8, 10});
  ball.cutoff = Cutoff::sphere(3.1);
  EXPECT_EQ(right_strategy(ball, asking(library)).find("by"), std::string::npos);
}

// Whoever wins: of 17 points, weft's kernels make a convolution.
TEST_F(LateLibrary, is_raced_with_all_axes_and_with_convolutions) {
  if (ranks_of_world() > 2) return;
  const Problem problem = of({17, 4, 6});
  EXPECT_EQ(raced(problem).report.told, "");
  const WithLibrary late;
  const RacedChoices choices = raced(problem);
  EXPECT_GE(choices.report.candidates, 2) << choices.report.told;
  EXPECT_THAT(choices.report.told, HasSubstr("raced: a library's own transform"));
  EXPECT_THAT(choices.report.told, HasSubstr("by latefft"));
  if (ranks_of_world() == 1) {
    EXPECT_THAT(choices.report.told, HasSubstr("fft 2,1,0 by latefft"));
  }
}

// The longest axis in two halves, as no block holds it, and as one.
TEST_F(LateLibrary, is_raced_with_an_axis_in_halves) {
  if (ranks_of_world() > 1) return;
  const WithLibrary late;
  const RacedChoices choices = raced(of({2187}));
  EXPECT_THAT(choices.report.told, HasSubstr("split 0 as"));
  EXPECT_THAT(choices.report.told, HasSubstr("late | from 1 | fft 0 by latefft"));
}

// Plans that may measure are right, whatever is kept.
TEST_F(LateLibrary, that_may_be_kept_or_not_gives_right_results) {
  if (ranks_of_world() > 1) return;
  const WithLibrary late;
  Options options = asking("late");
  options.effort = Effort::measure;
  right_strategy(of({17, 16, 16}), options);
  right_strategy(of({4374}), options);
}

TEST_F(LateLibrary, that_refuses_a_plan_loses_the_race) {
  if (ranks_of_world() > 2) return;
  for (const int status : {2, 16}) {
    const WithLibrary late({.status_of_plans = status});
    const RacedChoices choices = raced(of({17, 4, 6}));
    EXPECT_EQ(to_string(choices.strategy).find("by"), std::string::npos);
    EXPECT_EQ(choices.report.candidates, 0);
  }
}

namespace {

// A transform that the library refuses on some rank.
void expect_failing_run(const Problem& problem) {
  // Never freed, as MPI may still use it.
  auto& plan = *new AnyPlan(MPI_COMM_WORLD, problem, asking("latefft"));
  const auto in = plan.allocate(1 << 16), out = plan.allocate(1 << 16);
  try {
    plan.forward(in.get(), out.get());
    ADD_FAILURE() << "ran";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("LATEFFT_EXEC_FAILED (6)"));
  }
}

}  // namespace

TEST_F(LateLibrary, that_fails_is_an_error_on_all_ranks) {
  EXPECT_THAT(planning_error(of({8, 9, 10}), asking("latefft")),
              HasSubstr("the library 'latefft' does not apply on rank 0: the late device has no "
                        "latefft"));
  {
    const WithLibrary late({.status_of_plans = 2});
    EXPECT_THAT(planning_error(of({8, 9, 10}), asking("latefft")),
                HasSubstr("LATEFFT_ALLOC_FAILED (2)"));
  }
  {
    const WithLibrary late({.workspace_factor = 1 << 24});
    EXPECT_THAT(planning_error(of({8, 9, 10}), asking("latefft")),
                HasSubstr("the library that transforms on the device works in"));
  }
  const WithLibrary late({.status_of_runs = 6});
  expect_failing_run(of({8, 9, 10}));
}

// Whatever goes wrong, and whichever rank alone it goes wrong on.
TEST_F(LateLibrary, that_fails_on_one_rank_is_an_error_on_all_ranks) {
  const bool is_last = rank_of_world() == ranks_of_world() - 1;
  const Problem problem = of({8, 9, 10});
  {
    std::optional<WithLibrary> late;
    if (!is_last) late.emplace();
    EXPECT_THAT(planning_error(problem, asking("latefft")),
                HasSubstr(fmt::format("does not apply on rank {}", ranks_of_world() - 1)));
  }
  {
    const WithLibrary late({.status_of_plans = is_last ? 2 : 0});
    EXPECT_THAT(planning_error(problem, asking("latefft")), HasSubstr("LATEFFT_ALLOC_FAILED (2)"));
    EXPECT_EQ(late.fft().plans(), 0);
  }
  {
    const WithLibrary late({.workspace_factor = is_last ? 1 << 24 : 1});
    EXPECT_THAT(planning_error(problem, asking("latefft")), HasSubstr("the plan may take"));
    EXPECT_EQ(late.fft().plans(), 0);
  }
  const WithLibrary late({.status_of_runs = is_last ? 6 : 0});
  expect_failing_run(problem);
}

// A strategy from a machine that had the library.
TEST_F(LateLibrary, that_a_strategy_names_and_that_is_not_here_is_an_error) {
  if (ranks_of_world() > 1) return;
  const std::string strategy = "late | from 1x1x1 | fft 2 | fft 1,0 by latefft";
  EXPECT_THAT(planning_error(of({6, 7, 8}), asking("", strategy)),
              HasSubstr("the library 'latefft' does not apply on rank 0"));
}

// Where data stream through the device, weft's kernels do all, and split what they cannot hold.
TEST_F(LateLibrary, is_left_out_where_data_stream_through_the_device) {
  if (ranks_of_world() > 1) return;
  const WithLibrary late;
  Options options = asking("latefft");
  options.device_memory_limit = 60000;
  EXPECT_THAT(right_strategy(of({4374}), options), HasSubstr("split 0 as"));
}

// Arrays in memory of the device, where the library loads and stores itself if these are aligned;
// others have stand-ins. c2r does not destroy its source.
TEST_F(DeviceLibrary, works_on_arrays_on_the_device_and_leaves_sources_as_they_are) {
  const WithLibrary late({.keeps_sources = false});
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const int offset : {0, 8}) {
      AnyPlan plan(MPI_COMM_WORLD, of({6, 5, 4}, kind), asking(library));
      const auto bytes_of = [](const Share& share) {
        return share.elements * share.scalar.bytes();
      };
      const std::int64_t bytes = bytes_of(plan.input()), out_bytes = bytes_of(plan.output());
      const auto here = plan.allocate(bytes), back = plan.allocate(bytes);
      const auto in = plan.allocate(bytes + 8, Memory::device),
                 out = plan.allocate(out_bytes + 8, Memory::device);
      const auto count = bytes / 8;
      auto* const numbers = reinterpret_cast<double*>(here.get());
      for (std::int64_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(i % 7);
      weft::copy(here.get(), in.get() + offset, bytes);
      const auto expect_field = [&](double scale) {
        weft::copy(in.get() + offset, back.get(), bytes);
        const auto* const result = reinterpret_cast<const double*>(back.get());
        for (std::int64_t i = 0; i < count; ++i)
          ASSERT_NEAR(result[i], scale * static_cast<double>(i % 7), 1e-12) << i;
      };
      plan.forward(in.get() + offset, out.get() + offset);
      expect_field(1);
      for (const double scale : {1.0, 2.0}) {  // twice from the same spectrum
        plan.backward(out.get() + offset, in.get() + offset, scale);
        expect_field(scale);
      }
    }
}

// Strides that do not nest, rows with gaps, fields point by point, and other orders in one array.
TEST_F(DeviceLibrary, knows_arrays_of_every_storage) {
  if (ranks_of_world() > 2) return;
  const WithLibrary late;
  Storage interleaved;
  interleaved.interleaves_batch = true;
  for (const Storage& storage :
       {Storage::column_major(3), Storage::with_ghosts({0, 1, 2}, {1, 0, 1}), interleaved})
    for (const bool in_place : {false, true}) {
      Problem problem = of({5, 6, 4});
      problem.batch = 2;
      problem.in_place = in_place;
      problem.output = Distribution::same;
      problem.output.storage = storage;
      EXPECT_THAT(right_strategy(problem, asking(library)), HasSubstr(by_library));
      problem.input.storage = storage;
      right_strategy(problem, asking(library));
    }
}

TEST_F(LateLibrary, has_its_memory_counted_and_limited) {
  const WithLibrary late({.workspace_factor = 3});
  const Problem problem = of({8, 12, 10});
  const auto tiles = [&](const std::string& engine) {
    AnyPlan plan(MPI_COMM_WORLD, problem, asking(engine));
    return plan.memory().held.tiles;
  };
  EXPECT_EQ(tiles("late"), 0);
  EXPECT_GT(tiles("latefft"), 0);
  if (ranks_of_world() > 1) return;
  EXPECT_EQ(tiles("latefft"), 3 * 8 * 12 * 10 * 16);  // from array to array
  Options options = asking("latefft");
  options.device_memory_limit = 5 * 8 * 12 * 10 * 16 + 4096;
  EXPECT_EQ(planning_error(problem, options), "no error");
  options.device_memory_limit = (2 * 8 * 12 * 10 + 1) * 16 + 4096;
  EXPECT_THAT(planning_error(problem, options),
              HasSubstr("works in 46080 bytes of its memory, and holds lines in 0"));
}

TEST_F(DeviceLibrary, stays_as_a_strategy_says) {
  const WithLibrary late;
  if (ranks_of_world() > 1) return;
  const std::string whole = driver + " | from 1x1x1 | fft 2,1,0 " + by_library + " whole",
                    some = driver + " | from 1x1x1 | fft 2 | fft 1,0 " + by_library;
  for (const std::string& strategy : {whole, some})
    for (const std::string& engine : {std::string(), library})
      EXPECT_EQ(right_strategy(of({6, 7, 8}), asking(engine, strategy)), strategy);
  EXPECT_EQ(right_strategy(of({6, 7, 8}), asking("", some + "," + library)), some);
}

}  // namespace weft
