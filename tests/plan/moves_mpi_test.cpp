// plan/moves: what a plan moves, without what it transforms, as a plan of its own: the strategy of
// the first with copies in place of its transforms.

#include <gtest/gtest.h>

#include <complex>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

std::string without_transforms(const AnyPlan& plan) {
  return std::regex_replace(to_string(plan.strategy()), std::regex("fft [^|]*[^| ]"), "copy");
}

// The grid of the data after each exchange.
std::vector<Dims> grids_of(const RunReport& report) {
  std::vector<Dims> grids;
  for (const StageReport& stage : report.stages)
    if (stage.is_exchange) grids.push_back(stage.grid);
  return grids;
}

// Numbers that tell the points apart, at the points of a share.
std::vector<std::complex<double>> numbers_of(const Share& share) {
  std::vector<std::complex<double>> numbers(static_cast<std::size_t>(share.elements));
  for (auto [at, x] : Points(numbers.data(), share))
    x = {static_cast<double>((at[0] * 100 + at[1]) * 100 + at[2]), -1};
  return numbers;
}

}  // namespace

TEST(Moves, of_a_plan_alone_go_through_its_grids) {
  const int ranks = ranks_of_world();
  const Distribution ends[] = {{Distribution::slab},
                               {Distribution::brick, {1, ranks, 1}},
                               {Distribution::pencil},
                               {Distribution::brick}};
  for (const Distribution& input : ends)
    for (const Distribution& output : ends)
      for (const char* exchange : {"", "p2p"}) {
        Problem problem = of({12, 9, 10});
        problem.input = input;
        problem.output = output;
        Options options = quick();
        options.exchange = exchange;
        const AnyPlan plan(MPI_COMM_WORLD, problem, options);
        problem.axes = Axes::none();
        options.exchange.clear();
        options.strategy = without_transforms(plan);
        SCOPED_TRACE(options.strategy);
        AnyPlan moves(MPI_COMM_WORLD, problem, options);
        EXPECT_EQ(grids_of(moves.report().forward), grids_of(plan.report().forward));
        const auto u = numbers_of(moves.input()), expected = numbers_of(moves.output());
        std::vector<std::complex<double>> v(expected.size()), back(u.size());
        moves.forward(std::span(u), std::span(v));
        EXPECT_EQ(v, expected);
        moves.backward(std::span(v), std::span(back));
        EXPECT_EQ(back, u);
      }
}
