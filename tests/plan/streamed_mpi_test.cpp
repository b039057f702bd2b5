// plan/streamed: plans whose data stay in memory of the processor and stream through a device, in
// tiles, against direct sums; what they tell of it; and what cannot be. The device is the late one,
// or that of WEFT_TEST_ENGINE.

#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/exchanges_here.hpp"
#include "support/tested_driver.hpp"
#include "support/world.hpp"
#include "weft/device/driver.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using test::check_plan;
using test::expect_error;
using test::of;
using test::quick;
using test::ranks_of_world;
using test::tested_driver;
using Complex = std::complex<double>;

// A slot has room for two lines, or for a plane, of the fields below. These exceed the first of
// these limits on a few ranks, and the second one on one or two.
constexpr std::int64_t few_bytes = 6 * 300, some_bytes = 6 * 2400;

Options streamed(std::int64_t limit, const std::string& strategy = "") {
  Options options = quick();
  options.engine = tested_driver();
  options.device_memory_limit = limit;
  options.strategy = strategy;
  return options;
}

bool streams(const AnyPlan& plan) {
  return plan.report().device.find("in tiles through device") != std::string::npos;
}

// In arrays of the plan's, which are registered, and in others.
void expect_right(const Problem& problem, const Options& options) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const bool is_large = ranks_of_world() <= 2 || options.device_memory_limit == few_bytes;
  EXPECT_TRUE(streams(plan) || !is_large) << plan.describe(Detail::all);
  const test::Reference& reference = test::known_reference(plan.problem(), 29);
  for (const Arrays arrays : {Arrays::of_weft, Arrays::any}) {
    const auto failure = check_plan(plan, reference, nullptr, arrays);
    EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
  }
}

std::string on_ranks(const std::string& strategy) {
  return tested_driver() + fmt::format(fmt::runtime(strategy), ranks_of_world());
}

}  // namespace

TEST(Streamed, transforms_what_processors_do) {
  for (const std::int64_t limit : {few_bytes, some_bytes})
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (const bool in_place : {false, true}) {
        if (ranks_of_world() > 4 && (limit == some_bytes || in_place)) continue;
        Problem problem = of({24, 13, 11}, kind);
        problem.in_place = in_place;
        problem.batch = in_place ? 1 : 2;
        problem.precision =
            limit == few_bytes ? Precision::single_precision : Precision::double_precision;
        expect_right(problem, streamed(limit));
      }
}

// All that a pass may have: two and three axes, an axis that is halved, in two halves, or in none.
TEST(Streamed, transforms_several_axes_while_a_tile_is_on_the_device) {
  for (const char* const axes : {"fft 3,2,1", "fft 3,2 | fft 1", "fft 3 | fft 1,2"})
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (const bool in_place : {false, true}) {
        if (ranks_of_world() > 1) continue;
        Problem problem = of({14, 9, 10}, kind);
        problem.batch = 7;
        problem.in_place = in_place;
        if (kind != Kind::c2c) problem.axes = {0, 1, 2};
        expect_right(problem, streamed(kind == Kind::c2c ? 6 * 20300 : 6 * 12300,
                                       on_ranks(std::string(" | from 1x1x1x1 | ") + axes)));
      }
}

TEST(Streamed, computes_other_bases_and_keeps_modes) {
  if (ranks_of_world() > 4) return;
  for (const std::int64_t limit : {few_bytes, some_bytes}) {
    Problem sums = of({20, 9, 12}, Kind::r2c);
    sums.bases = parse_bases("scf");
    expect_right(sums, streamed(limit));
    sums.bases = {Basis::dct2, Basis::dst3, Basis::chebyshev};
    sums.kind = Kind::r2r;
    expect_right(sums, streamed(limit));
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
      Problem pruned = of({18, 16, 14}, kind);
      pruned.modes = {15, 12, 11};
      pruned.support = {{1, 0, 3}, {18, 15, 14}};
      expect_right(pruned, streamed(limit));
      Problem ball = of({18, 17, 16}, kind);
      ball.cutoff = Cutoff::sphere(6.3);
      expect_right(ball, streamed(limit));
    }
  }
}

TEST(Streamed, moves_data_by_every_exchange) {
  for (const auto& exchange : test::exchanges_here())
    for (const bool in_place : {false, true}) {
      if (ranks_of_world() > 4 && in_place) continue;
      Problem problem = of({24, 11, 10});
      problem.in_place = in_place;
      problem.output.form = Distribution::same;
      Options options = streamed(ranks_of_world() > 4 ? few_bytes : some_bytes);
      options.exchange = exchange.name;
      options.chunks = in_place ? 2 : 0;
      expect_right(problem, options);
    }
}

// Passes walk over memory of the processor once each: 2 of them read and write a field.
TEST(Streamed, tells_that_data_stay_and_what_moves) {
  if (ranks_of_world() > 1) return;
  auto plan = Plan(MPI_COMM_WORLD, c2c({8, 16, 32}),
                   streamed(6 * 9000, on_ranks(" | from 1x1x1 | fft 2,1 | fft 0")));
  auto u = plan.make_input(), v = plan.make_output();
  EXPECT_EQ(u.kind(), Memory::registered);
  plan.forward(u, v);
  EXPECT_EQ(plan.report().forward.copied_bytes, 4 * u.size() * 16);
  expect_error(plan.describe(), "in memory of the processor, in tiles through devices");
  EXPECT_THROW(plan.make_input(Memory::device), Error);
}

TEST(Streamed, is_chosen_where_a_field_exceeds_the_limit) {
  const auto chosen = [](std::int64_t limit, int in_flight = 1) {
    Options options = streamed(limit);
    options.in_flight = in_flight;
    return streams(AnyPlan(MPI_COMM_WORLD, of({12, 12, 12}), options));
  };
  EXPECT_TRUE(chosen(1 << 10));
  EXPECT_FALSE(chosen(1 << 20));
  EXPECT_FALSE(chosen(0));
  if (ranks_of_world() > 1) return;
  // Of 27648 bytes each: the arrays of one transform in flight fit, those of two do not.
  EXPECT_FALSE(chosen(100'000));
  EXPECT_TRUE(chosen(100'000, 2));
}

TEST(Streamed, takes_several_fields_at_a_time) {
  Options options = streamed(few_bytes);
  options.in_flight = 2;
  auto plan = Plan(MPI_COMM_WORLD, c2c({10, 9, 8}), options);
  auto u = plan.make_input(), v = plan.make_input();
  auto x = plan.make_output(), y = plan.make_output();
  for (auto [at, value] : u.points()) value = Complex(at[0] + 1.0, at[1] * at[2]);
  for (auto [at, value] : v.points()) value = Complex(at[1] * 0.5, 3.0 - at[0]);
  auto first = plan.start_forward(u, x), second = plan.start_forward(v, y);
  first.wait();
  second.wait();
  auto a = plan.make_input(), b = plan.make_input();
  plan.backward(x, a);
  plan.backward(y, b);
  EXPECT_LT(max_abs_difference(u, a), 1e-13);
  EXPECT_LT(max_abs_difference(v, b), 1e-13);
}

// What the application has enqueued in its stream has happened before a run reads it.
TEST(Streamed, comes_after_what_is_in_the_stream_of_the_application) {
  DeviceDriver& driver = find_driver(tested_driver()).get();
  driver.select(0);
  const DeviceStream stream = driver.make_stream(0);
  {
    Options options = streamed(few_bytes);
    options.device = 0;
    options.stream = stream.handle;
    auto plan = Plan(MPI_COMM_WORLD, c2c({10, 9, 8}), options);
    auto u = plan.make_input(), v = plan.make_input(), w = plan.make_input(Memory::host);
    auto x = plan.make_output();
    for (auto [at, value] : u.points()) value = Complex(at[0] + 1.0, at[1] * at[2]);
    const std::int64_t bytes = u.size() * static_cast<std::int64_t>(sizeof(Complex));
    for (auto* const field : {&v, &w}) {
      driver.select(0);
      driver.copy(stream, field->data(), u.data(), bytes);
      plan.forward(*field, x);
      plan.backward(x, *field);
      EXPECT_LT(max_abs_difference(u, *field), 1e-13);
    }
  }
  driver.destroy(stream);
}

TEST(Streamed, errors_are_the_same_on_all_ranks) {
  const std::string strategy =
      on_ranks(ranks_of_world() == 1 ? " | from 1x1x1 | fft 2,1 | fft 0"
                                     : " | from {0}x1x1 | fft 2,1 | p2p to 1x{0}x1 | fft 0");
  const std::string error = test::planning_error(of({16, 16, 16}), streamed(1000, strategy));
  expect_error(error, "the plan may take 1000 on each rank");
  expect_error(error, "device_memory_limit");
  EXPECT_NE(test::planning_error(of({16, 16, 16}), streamed(-1)), "no error");

  auto plan = Plan(MPI_COMM_WORLD, c2c({16, 16, 16}), streamed(few_bytes));
  auto there = Plan(MPI_COMM_WORLD, c2c({16, 16, 16}), streamed(0));
  auto u = there.make_input(Memory::device);
  auto v = plan.make_output();
  expect_error(test::error_text([&] { plan.forward(u.data(), v.data()); }),
               "stream through the device");
}

}  // namespace weft
