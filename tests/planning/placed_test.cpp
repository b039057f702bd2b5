// planning/placed: the ranks of pieces, the strategies that follow, and what is refused.

#include "weft/planning/placed.hpp"

#include <gtest/gtest.h>

#include "support/problem_of.hpp"
#include "weft/planning/planner.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/traffic.hpp"

using namespace weft;
using namespace weft::test;

namespace {

Choices choices_of(const Placement& placement) {
  Choices c;
  c.engine = "fftw";
  c.exchanges = {{"p2p"}, {"alltoallw", true}};
  c.small_exchange = c.large_exchange = "p2p";
  c.placement = placement;
  return c;
}

std::string placed(const Problem& problem, int ranks, const Placement& placement) {
  const Problem valid = validated(problem);
  const Planned planned =
      plan_strategy(valid, CostPredictor::here({ranks, {}, 1 << 20}), choices_of(placement));
  EXPECT_NO_THROW(route_of(planned.strategy, valid, ranks));
  return to_string(planned.strategy);
}

Machine machine_of(const std::vector<int>& node_sizes) {
  Machine machine{0, {}};
  for (std::size_t node = 0; node < node_sizes.size(); ++node)
    for (int i = 0; i < node_sizes[node]; ++i, ++machine.ranks)
      machine.node_of_rank.push_back(static_cast<int>(node));
  return machine;
}

// Two slabs a rank, dealt out in turn.
const Placement two_each_of_four{8, [](const Dims& grid, const Dims& piece) {
                                   return static_cast<int>(ProcessGrid{grid}.piece(piece) % 4);
                                 }};

}  // namespace

TEST(Placement, puts_the_pieces_of_every_stage_on_its_ranks) {
  EXPECT_EQ(placed(of({256, 256, 256}), 4, two_each_of_four),
            "fftw | from 8x1x1 on 0-3,0-3 | fft 2,1 | p2p to 1x8x1 on 0-3,0-3 | fft 0");
}

TEST(Placement, is_called_with_the_grid_and_the_piece) {
  const Placement diagonal{4, [](const Dims& grid, const Dims& piece) {
                             return static_cast<int>(piece[0] == piece[1] && grid[0] == 2);
                           }};
  EXPECT_EQ(to_string(placed({2, 2}, diagonal, 2)), "2x2 on 1,0,0,1");
  EXPECT_EQ(to_string(placed({1, 4}, diagonal, 2)), "1x4 on 0,0,0,0");
}

TEST(Placement, of_some_ranks_has_one_piece_on_each) {
  EXPECT_EQ(placed(of({16, 16, 16}), 12, one_piece_on({4, 5, 6})),
            "fftw | from 3x1x1 on 4-6 | fft 2,1 | p2p to 1x3x1 on 4-6 | fft 0");
  EXPECT_EQ(placed(of({16, 16, 16}), 12, one_piece_on({0, 1, 2})),
            "fftw | from 3x1x1 | fft 2,1 | p2p to 1x3x1 | fft 0");
}

// The user's slabs are on all ranks, and passes on two.
TEST(Placement, moves_data_to_the_ranks_that_compute_and_back) {
  Problem problem = of({16, 16, 16});
  problem.input.form = Distribution::slab;
  problem.output.form = Distribution::same;
  const std::string text = placed(problem, 4, one_piece_on({2, 3}));
  EXPECT_EQ(text.substr(0, 26), "fftw | from 4x1x1 | copy |") << text;
  const Route route = route_of(parse_strategy(text), validated(problem), 4);
  const Strategy strategy = parse_strategy(text);
  int transforms = 0;
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    const auto* pass = std::get_if<PassStage>(&strategy.stages[i]);
    if (pass == nullptr || pass->axes.empty()) continue;
    ++transforms;
    for (int rank = 0; rank < 4; ++rank)
      EXPECT_EQ(route.before[i].volume(rank), rank < 2 ? 0 : 16 * 16 * 16 / 2) << text;
  }
  EXPECT_GE(transforms, 2) << text;
  EXPECT_EQ(route.user_output, route.user_input);
}

TEST(Placement, holds_for_the_free_ends_of_a_split_line_too) {
  const std::string text = placed(of({1 << 20}), 6, one_piece_on({1, 2, 4, 5}));
  EXPECT_EQ(text,
            "fftw | split 0 as 1024x1024 | from input on 1,2,4,5 | copy | p2p to 1x4 on 1,2,4,5 | "
            "fft 0 | p2p to 4x1 on 1,2,4,5 | fft 1 | p2p to output on 1,2,4,5 | copy");
  const Route route = route_of(parse_strategy(text), validated(of({1 << 20})), 6);
  for (const auto* end : {&route.user_input, &route.user_output})
    for (int rank = 0; rank < 6; ++rank)
      EXPECT_EQ(end->volume(rank), rank == 0 || rank == 3 ? 0 : 1 << 18);
}

TEST(Placement, a_rank_out_of_range_is_refused_with_the_piece) {
  const Placement beyond{
      4, [](const Dims&, const Dims& piece) { return static_cast<int>(3 * piece[0]); }};
  EXPECT_EQ(error_text([&] {
              placed({4, 1}, beyond, 4);
            }),
            "weft: piece (2,0) of 4x1 is placed on rank 6, but there are 4 ranks\n"
            "  try:   return a rank from 0 to 3");
  EXPECT_NE(error_text([&] {
              placed(of({8, 8}), 4, beyond);
            }).find("is placed on rank"),
            std::string::npos);
}

TEST(Placement, an_invalid_number_of_pieces_is_refused) {
  const auto anywhere = [](const Dims&, const Dims&) { return 0; };
  EXPECT_NE(error_text([&] {
              check(Placement{-1, anywhere});
            }).find("a placement has -1 pieces"),
            std::string::npos);
  EXPECT_NE(error_text([&] {
              check(Placement{65537, anywhere});
            }).find("1 to 65536"),
            std::string::npos);
  EXPECT_NE(error_text([] {
              check(Placement{4, nullptr});
            }).find("but no function that gives their ranks"),
            std::string::npos);
  EXPECT_NO_THROW(check(Placement{}));
  EXPECT_NO_THROW(check(Placement{0, anywhere}));
}

TEST(Placement, a_demanded_grid_has_a_part_for_every_piece) {
  Choices c = choices_of(two_each_of_four);
  c.grid = {2, 2};
  EXPECT_EQ(
      error_text([&] {
        plan_strategy(validated(of({8, 8, 8})), CostPredictor::here({4, {}}), c);
      }),
      "weft: the grid 2x2 has 4 parts for 8 pieces\n  try:   give numbers whose product is 8");
  c.grid = {2, 4};
  const Planned planned = plan_strategy(validated(of({8, 8, 8})), CostPredictor::here({4, {}}), c);
  EXPECT_NE(to_string(planned.strategy).find("2x4"), std::string::npos);
}

TEST(FewestNodes, are_filled_one_after_another_the_largest_first) {
  EXPECT_EQ(ranks_on_fewest_nodes(3, machine_of({2, 2, 2})), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(ranks_on_fewest_nodes(3, machine_of({1, 3, 2})), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(ranks_on_fewest_nodes(4, machine_of({1, 3, 2})), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(ranks_on_fewest_nodes(6, machine_of({1, 3, 2})), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  // Ranks dealt out to nodes in turn.
  EXPECT_EQ(ranks_on_fewest_nodes(3, {6, {0, 1, 0, 1, 0, 1}}), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(ranks_on_fewest_nodes(2, {4, {}}), (std::vector<int>{0, 1}));
}

TEST(FewestNodes, are_limited_by_the_number_of_ranks) {
  for (int count : {-1, 0, 5})
    EXPECT_EQ(error_text([&] {
                ranks_on_fewest_nodes(count, {4, {}});
              }),
              "weft: " + std::to_string(count) +
                  " ranks were asked to compute, but there are 4\n  try:   give 1 to 4 ranks, or 0 "
                  "for all");
}

TEST(Route, refuses_tables_that_do_not_fit) {
  const auto reason = [&](const std::string& text, Problem problem = of({8, 8, 8})) -> std::string {
    try {
      route_of(parse_strategy(text), validated(problem), 2);
    } catch (const Error& error) {
      return error.message().substr(error.message().rfind(": ") + 2);
    }
    return "none";
  };
  const std::string rest = " | fft 2,1 | p2p to 1x2x1 | fft 0";
  EXPECT_EQ(reason("fftw | from 4x1x1 on 0,1,1,0" + rest), "none");
  EXPECT_EQ(reason("fftw | from 4x1x1 on 0,1,1" + rest),
            "4x1x1 has more pieces than the 3 ranks listed for them");
  EXPECT_EQ(reason("fftw | from 4x1x1 on 0,1,1,0,0" + rest),
            "4x1x1 has 4 pieces, but 5 ranks are listed for them");
  EXPECT_EQ(reason("fftw | from 4x1x1 on 0,1,2,0" + rest),
            "a piece of 4x1x1 is on rank 2, but there are 2 ranks");
  EXPECT_EQ(reason("fftw | from 0x1x1 on 0" + rest), "0x1x1 has a number below 1");
  EXPECT_EQ(reason("fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 on 0,7 | fft 0"),
            "a piece of 1x2x1 is on rank 7, but there are 2 ranks");
  EXPECT_EQ(reason("fftw | from input on 1,1" + rest), "none");
  EXPECT_EQ(reason("fftw | from input on 3" + rest),
            "a piece of the input is on rank 3, but there are 2 ranks");
  Problem problem = of({8, 8, 8});
  problem.input.form = Distribution::slab;
  EXPECT_EQ(reason("fftw | from input on 1,1" + rest, problem),
            "it lists ranks for the input, whose distribution the problem fixes");
  EXPECT_EQ(reason("fftw | from 2x1x1 on 1,0" + rest, problem),
            "it does not start where the problem says that the input is");
  // A line of which one point is stored is on one rank, also in pieces; its frequencies would be.
  Problem thin = of({8, 8, 8});
  thin.support = {{0, 0, 0}, {8, 8, 1}};
  EXPECT_EQ(reason("fftw | from 2x1x1 | fft 1 | p2p to 1x1x2 | fft 0,2", thin),
            "its last pass leaves the output on other ranks than the grid before it says");
}

// Several pieces that go to one rank are one message; ranks that own nothing are not examined.
TEST(Traffic, counts_ranks_not_pieces) {
  const Extents extents{64, 64};
  std::vector<int> far(8), near(8);
  for (int piece = 0; piece < 8; ++piece) {
    far[static_cast<std::size_t>(piece)] = 997 + piece % 2;
    near[static_cast<std::size_t>(piece)] = 997 + piece / 4;
  }
  const Machine machine{1000, {}};
  const Traffic traffic = busiest_traffic(
      Decomposition::on_grid(extents, ProcessGrid::placed({8, 1}, far), 1000),
      Decomposition::on_grid(extents, ProcessGrid::placed({1, 8}, near), 1000), machine);
  EXPECT_EQ(traffic.points, 64 * 64 / 4);
  EXPECT_LE(traffic.messages, 2);
  EXPECT_GE(traffic.messages, 1);
}
