// plan/device: plans on the late device compute what plans on the processor compute.

#include <gmock/gmock.h>

#include <complex>
#include <string>

#include "support/world.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using test::ranks_of_world;
using Complex = std::complex<double>;

Options on_device(const std::string& strategy = "") {
  Options options;
  options.engine = "late";
  options.strategy = strategy;
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
  problem.output = Distribution();
  problem.output.form = Distribution::same;
  auto here = Plan(MPI_COMM_WORLD, problem);
  // What the plans make lies differently, so both make it in the natural order of the input.
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
      expect_right(natural({12, 10, 14}, in_place), on_device(), kind);
}

TEST(Device, moves_data_by_every_exchange) {
  for (const char* const exchange : {"p2p", "alltoallv", "alltoall", "alltoallw", "node", "shared"})
    for (const bool in_place : {false, true}) {
      Options options = on_device();
      options.exchange = exchange;
      expect_right(natural({12, 10, 14}, in_place), options, Memory::device);
      expect_right(natural({7, 9, 11}, in_place), options, Memory::host);
    }
}

TEST(Device, takes_exchanges_that_move_arrays_themselves) {
  const std::string ranks = std::to_string(ranks_of_world());
  for (const bool in_place : {false, true})
    expect_right(natural({24, 24, 20}, in_place),
                 on_device("late | from " + ranks + "x1x1 | alltoallw to 1x1x" + ranks +
                           " | fft 0 | fft 1 | alltoallw to " + ranks + "x1x1 | fft 2"),
                 Memory::device);
}

}  // namespace weft
