// plan: plans on devices whose library of transforms is asked for, is needed, or is raced, against
// direct sums; and what happens where it fails. The device is the late one, with a library that
// computes on the processor when a stream comes to it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
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
using testing::HasSubstr;

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

TEST(DeviceLibrary, transforms_all_that_it_can_where_it_is_asked_for) {
  const WithLibrary library;
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const bool in_place : {false, true}) {
      Problem problem = of({9, 6, 10}, kind);
      problem.in_place = in_place;
      problem.batch = in_place ? 1 : 2;
      if (ranks_of_world() > 2 && kind == Kind::c2r && !in_place) continue;
      problem.precision = in_place ? Precision::single_precision : Precision::double_precision;
      const std::string strategy = right_strategy(problem, asking("latefft"));
      EXPECT_THAT(strategy, HasSubstr("by latefft"));
      if (ranks_of_world() == 1 && in_place) {
        EXPECT_EQ(strategy, "late | from 1x1x1 | fft 2,1,0 by latefft");
      }
    }
  EXPECT_GT(library.fft().enqueued(), 0);
}

TEST(DeviceLibrary, multiplies_and_leaves_the_source_as_it_is) {
  const WithLibrary library;
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const bool in_place : {false, true}) {
      Problem problem = of({6, 7, 8}, kind);
      problem.in_place = in_place;
      problem.output = in_place ? Distribution() : Distribution::same;
      test::RunsOf runs(Arrays::any);
      runs.scale = -3;
      runs.scale_back = 0.25;
      runs.in_two_arrays = in_place && rank_of_world() % 2 == 0;
      right_strategy(problem, asking("latefft"), runs);
    }
}

TEST(DeviceLibrary, takes_lines_that_no_block_holds) {
  if (ranks_of_world() > 2) return;
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    const Problem problem = of({3, kind == Kind::c2c ? 2053 : 4099}, kind);
    EXPECT_THAT(planning_error(problem, asking("late")), HasSubstr("does not fit a block"));
    const WithLibrary library;
    EXPECT_THAT(right_strategy(problem, asking("late")), HasSubstr("fft 1 by latefft"));
  }
}

// Axes that are no Fourier transforms, or not stored as a whole, stay with weft's kernels.
TEST(DeviceLibrary, leaves_to_kernels_what_it_does_not_have) {
  const WithLibrary library;
  Problem sums = of({8, 9, 10}, Kind::r2c);
  sums.bases = parse_bases("scf");
  EXPECT_THAT(right_strategy(sums, asking("latefft")), HasSubstr("by latefft"));
  Problem pruned = of({8, 9, 10});
  pruned.modes = {8, 9, 7};
  EXPECT_THAT(right_strategy(pruned, asking("latefft")), HasSubstr("fft 2 |"));
  Problem ball = of({9, 8, 10});
  ball.cutoff = Cutoff::sphere(3.1);
  EXPECT_EQ(right_strategy(ball, asking("latefft")).find("by"), std::string::npos);
}

// Whoever wins: of 17 points, weft's kernels make a convolution.
TEST(DeviceLibrary, is_raced_with_all_axes_and_with_convolutions) {
  if (ranks_of_world() > 2) return;
  const Problem problem = of({17, 4, 6});
  EXPECT_EQ(raced(problem).report.told, "");
  const WithLibrary library;
  const RacedChoices choices = raced(problem);
  EXPECT_GE(choices.report.candidates, 2) << choices.report.told;
  EXPECT_THAT(choices.report.told, HasSubstr("raced: a library's own transform"));
  EXPECT_THAT(choices.report.told, HasSubstr("by latefft"));
  if (ranks_of_world() == 1) {
    EXPECT_THAT(choices.report.told, HasSubstr("fft 2,1,0 by latefft"));
  }
}

// The longest axis in two halves, as no block holds it, and as one.
TEST(DeviceLibrary, is_raced_with_an_axis_in_halves) {
  if (ranks_of_world() > 1) return;
  const WithLibrary library;
  const RacedChoices choices = raced(of({2187}));
  EXPECT_THAT(choices.report.told, HasSubstr("split 0 as"));
  EXPECT_THAT(choices.report.told, HasSubstr("late | from 1 | fft 0 by latefft"));
}

// Plans that may measure are right, whatever is kept.
TEST(DeviceLibrary, that_may_be_kept_or_not_gives_right_results) {
  if (ranks_of_world() > 1) return;
  const WithLibrary library;
  Options options = asking("late");
  options.effort = Effort::measure;
  right_strategy(of({17, 16, 16}), options);
  right_strategy(of({4374}), options);
}

TEST(DeviceLibrary, that_refuses_a_plan_loses_the_race) {
  if (ranks_of_world() > 2) return;
  for (const int status : {2, 16}) {
    const WithLibrary library({.status_of_plans = status});
    const RacedChoices choices = raced(of({17, 4, 6}));
    EXPECT_EQ(to_string(choices.strategy).find("by"), std::string::npos);
    EXPECT_EQ(choices.report.candidates, 0);
  }
}

TEST(DeviceLibrary, that_fails_is_an_error_on_all_ranks) {
  EXPECT_THAT(planning_error(of({8, 9, 10}), asking("latefft")),
              HasSubstr("the library 'latefft' does not apply on rank 0: the late device has no "
                        "latefft"));
  {
    const WithLibrary library({.status_of_plans = 2});
    EXPECT_THAT(planning_error(of({8, 9, 10}), asking("latefft")),
                HasSubstr("LATEFFT_ALLOC_FAILED (2)"));
  }
  {
    const WithLibrary library({.workspace_factor = 1 << 24});
    EXPECT_THAT(planning_error(of({8, 9, 10}), asking("latefft")),
                HasSubstr("the library that transforms on the device works in"));
  }
  const WithLibrary library({.status_of_runs = 6});
  // Never freed, as MPI may still use it.
  auto& plan = *new AnyPlan(MPI_COMM_WORLD, of({8, 9, 10}), asking("latefft"));
  const auto in = plan.allocate(1 << 16), out = plan.allocate(1 << 16);
  try {
    plan.forward(in.get(), out.get());
    ADD_FAILURE() << "ran";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("LATEFFT_EXEC_FAILED (6)"));
  }
}

// Arrays in memory of the device, where the library loads and stores itself if these are aligned;
// others have stand-ins. c2r does not destroy its source.
TEST(DeviceLibrary, works_on_arrays_on_the_device_and_leaves_sources_as_they_are) {
  const WithLibrary library;
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const int offset : {0, 8}) {
      AnyPlan plan(MPI_COMM_WORLD, of({6, 5, 4}, kind), asking("latefft"));
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
      for (const double scale : {1.0, 2.0}) {  // twice from the same spectrum
        if (scale == 1) plan.forward(in.get() + offset, out.get() + offset);
        plan.backward(out.get() + offset, in.get() + offset, scale);
        weft::copy(in.get() + offset, back.get(), bytes);
        const auto* const result = reinterpret_cast<const double*>(back.get());
        for (std::int64_t i = 0; i < count; ++i)
          ASSERT_NEAR(result[i], scale * static_cast<double>(i % 7), 1e-12) << i;
      }
    }
}

// Strides that do not nest, rows with gaps, fields point by point, and other orders in one array.
TEST(DeviceLibrary, knows_arrays_of_every_storage) {
  if (ranks_of_world() > 2) return;
  const WithLibrary library;
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
      EXPECT_THAT(right_strategy(problem, asking("latefft")), HasSubstr("by latefft"));
      problem.input.storage = storage;
      right_strategy(problem, asking("latefft"));
    }
}

TEST(DeviceLibrary, has_its_memory_counted_and_limited) {
  const WithLibrary library({.workspace_factor = 3});
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

TEST(DeviceLibrary, stays_as_a_strategy_says) {
  const WithLibrary library;
  if (ranks_of_world() > 1) return;
  const std::string whole = "late | from 1x1x1 | fft 2,1,0 by latefft whole",
                    some = "late | from 1x1x1 | fft 2 | fft 1,0 by latefft";
  for (const std::string& strategy : {whole, some})
    for (const char* const engine : {"", "latefft"})
      EXPECT_EQ(right_strategy(of({6, 7, 8}), asking(engine, strategy)), strategy);
  EXPECT_EQ(right_strategy(of({6, 7, 8}), asking("", some + "," + library)), some);
}

}  // namespace weft
