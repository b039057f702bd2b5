// plan/placement: pieces on the ranks that the user says, and fewer ranks than there are - results
// against direct sums, where they lie, that no bit changes, and what is refused.

#include <gtest/gtest.h>

#include <cstring>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/decompositions.hpp"
#include "support/random_problem.hpp"
#include "support/world.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/grid/split.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

void is_right_anywhere(AnyPlan& plan, Arrays arrays = Arrays::of_weft) {
  const auto failure = check_plan(plan, known_reference(plan.problem(), 11), nullptr, arrays);
  ASSERT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

// Pieces on any ranks: on others for every seed.
Placement shuffled(int pieces, std::uint64_t seed) {
  return random_placement(pieces, ranks_of_world(), seed);
}

// The exchanges that apply to these nodes, and the planner's choice.
std::vector<std::string> exchange_names(const std::vector<int>& node_sizes) {
  const Communicator comm(MPI_COMM_WORLD);
  const Machine machine{comm.size(), nodes_of_ranks(comm, node_sizes)};
  std::vector<std::string> names{""};
  for (const ExchangeEntry& row : exchanges())
    if (!row.applies(of({8, 8, 8}), machine)) names.push_back(row.name);
  return names;
}

// The bits of forward, at every point of the whole field.
std::vector<std::uint64_t> bits_of(const Problem& problem, const Options& options) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const Share &in = plan.input(), &out = plan.output();
  const auto room = [](const Share& share) {
    return std::max<std::int64_t>(1, share.elements) * share.scalar.bytes();
  };
  const auto from = plan.allocate(room(in)), to = plan.allocate(room(out));
  for_each_point(in, 1, [&](std::int64_t, const Dims& at, std::int64_t element) {
    const auto i = static_cast<std::size_t>(flat(in.extents, at));
    put(from.get(), in.scalar, element, {test::sample(3, 0, i, 0), test::sample(3, 0, i, 1)});
  });
  plan.forward(from.get(), to.get());
  std::vector<std::uint64_t> mine(2 * static_cast<std::size_t>(volume(out.extents)), 0);
  for_each_point(out, 1, [&](std::int64_t, const Dims& at, std::int64_t element) {
    std::memcpy(&mine[2 * flat(out.extents, at)], to.get() + element * 16, 16);
  });
  std::vector<std::uint64_t> all(mine.size());
  MPI_Allreduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_UINT64_T, MPI_BOR,
                MPI_COMM_WORLD);
  return all;
}

// "3,0,2 ...": `ranks` for the pieces of a strategy.
std::string list_of(const std::vector<int>& ranks) {
  return fmt::format("{}", fmt::join(ranks, ","));
}

}  // namespace

TEST(Placement, every_exchange_takes_pieces_wherever_they_lie) {
  const int ranks = ranks_of_world();
  std::uint64_t seed = 0;
  for (const auto& node_sizes : {std::vector<int>{}, {1, 2}})
    for (const auto& exchange : exchange_names(node_sizes))
      for (int pieces : {ranks, 2 * ranks + 1, 3})
        for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
          Options options = quick();
          options.pretend.node_sizes = node_sizes;
          options.exchange = exchange;
          options.chunks = static_cast<int>(seed % 4);
          options.placement = shuffled(pieces, ++seed);
          Problem problem = of({9, 10, 12}, kind);
          problem.in_place = (seed + static_cast<std::uint64_t>(ranks)) / 2 % 2 == 0;
          problem.output.form = seed % 2 == 0 ? Distribution::free : Distribution::same;
          AnyPlan plan(MPI_COMM_WORLD, problem, options);
          is_right_anywhere(plan, seed % 5 == 0 ? Arrays::any : Arrays::of_weft);
        }
}

TEST(Placement, ends_that_the_problem_gives_may_be_on_all_ranks) {
  std::uint64_t seed = 100;
  for (auto input : {Distribution::slab, Distribution::pencil, Distribution::brick})
    for (auto output : {Distribution::free, Distribution::same, Distribution::brick})
      for (int batch : {1, 2})
        for (const Extents& extents : {Extents{9, 10, 12}, {60}, {11, 8}}) {
          Options options = quick();
          options.placement = shuffled(4, ++seed);
          Problem problem = of(extents, seed % 2 == 0 ? Kind::c2c : Kind::r2c);
          problem.batch = batch;
          problem.input.form = input;
          problem.output.form = output;
          AnyPlan plan(MPI_COMM_WORLD, problem, options);
          is_right_anywhere(plan);
        }
}

// Six slabs to three ranks as the text says; who is not named owns nothing.
TEST(Placement, a_share_is_the_pieces_that_the_user_says) {
  const int last = ranks_of_world() - 1, middle = last / 2;
  Options options = quick();
  options.strategy = fmt::format("fftw | from 6x1x1 on {0} | fft 2,1 | p2p to 1x6x1 on {0} | fft 0",
                                 list_of({last, 0, middle, middle, 0, last}));
  AnyPlan plan(MPI_COMM_WORLD, of({12, 12, 8}), options);
  std::vector<Box> in, out;
  const std::vector<int> owners{last, 0, middle, middle, 0, last};
  for (int slab = 0; slab < 6; ++slab) {
    if (owners[static_cast<std::size_t>(slab)] != rank_of_world()) continue;
    in.push_back({{2 * slab, 0, 0}, {2 * slab + 2, 12, 8}});
    out.push_back({{0, 2 * slab, 0}, {12, 2 * slab + 2, 8}});
  }
  EXPECT_EQ(plan.input().boxes, in);
  EXPECT_EQ(plan.output().boxes, out);
  is_right_anywhere(plan);
}

TEST(Placement, a_function_is_what_the_strategy_tells) {
  const int ranks = ranks_of_world();
  if (ranks == 1) return;  // it does better with a grid of one piece
  Options options = quick();
  options.placement = {2 * ranks, [=](const Dims& grid, const Dims& piece) {
                         return static_cast<int>(ProcessGrid{grid}.piece(piece) % ranks);
                       }};
  options.decomposition = Distribution::slab;
  AnyPlan plan(MPI_COMM_WORLD, of({48, 48, 4}), options);
  ASSERT_EQ(plan.input().boxes.size(), 2U) << plan.describe(Detail::all);
  const Box &first = plan.input().boxes[0], &second = plan.input().boxes[1];
  const Range slab = split(48, 2 * ranks, rank_of_world());
  EXPECT_EQ(first.range(0), slab);
  EXPECT_EQ(second.range(0), split(48, 2 * ranks, ranks + rank_of_world()));
  EXPECT_EQ(parse_strategy(plan.strategy()), body_of(plan).strategy());
  // The text alone makes the same plan.
  Options told = quick();
  told.strategy = plan.strategy();
  AnyPlan same(MPI_COMM_WORLD, of({48, 48, 4}), told);
  EXPECT_EQ(same.input().boxes, plan.input().boxes);
  EXPECT_EQ(same.output().boxes, plan.output().boxes);
}

// The same pieces, each on any rank: the same tiles, the same bits.
TEST(Placement, changes_no_bit_of_the_result) {
  const int ranks = ranks_of_world();
  const std::vector<std::string> names = exchange_names({});
  for (Kind kind : {Kind::c2c, Kind::r2c}) {
    const Problem problem = of({24, 12, 10}, kind);
    const auto with = [&](const std::string& exchange, const std::string& on) {
      Options options = quick();
      options.pretend.cache_bytes = 8192;
      options.strategy = fmt::format("fftw | from {0}x1x1{1} | fft 2,1 | {2} to 1x{0}x1{1} | fft 0",
                                     ranks, on, exchange);
      return bits_of(problem, options);
    };
    const auto expected = with("p2p", "");
    Dice dice(7);
    for (std::size_t i = 1; i < names.size(); ++i) {
      std::vector<int> turned, any;
      for (int rank = 0; rank < ranks; ++rank) {
        turned.push_back(ranks - 1 - rank);
        any.push_back(static_cast<int>(dice.between(0, ranks - 1)));
      }
      const std::vector<int> on_last(static_cast<std::size_t>(ranks), ranks - 1);
      for (const auto& owners : {turned, any, on_last})
        EXPECT_EQ(with(names[i], " on " + list_of(owners)), expected)
            << names[i] << " " << list_of(owners);
    }
  }
}

TEST(Placement, ranks_that_place_differently_are_told) {
  if (ranks_of_world() == 1) return;
  Options options = quick();
  const int me = rank_of_world();
  options.placement = {2, [=](const Dims&, const Dims& piece) {
                         return static_cast<int>(piece[0]) * (me == 1 ? 0 : 1);
                       }};
  options.decomposition = Distribution::slab;
  expect_error(planning_error(of({8, 8, 8}), options),
               "ranks disagree on the placement: rank 1 has '2x1x1 on 0,0;");
  // One has a function, the others have none.
  if (me == 0) options.placement = {};
  expect_error(planning_error(of({8, 8, 8}), options), "ranks disagree on the options");
}

TEST(Placement, wrong_ones_are_the_same_error_on_all_ranks) {
  const int ranks = ranks_of_world();
  Options options = quick();
  options.placement = {2, [=](const Dims&, const Dims&) { return ranks; }};
  expect_error(planning_error(of({8, 8, 8}), options),
               fmt::format("is placed on rank {}, but there {} {} rank", ranks,
                           ranks == 1 ? "is" : "are", ranks));
  options.placement = {
      2, [](const Dims&, const Dims&) -> int { throw std::runtime_error("no idea"); }};
  expect_error(planning_error(of({8, 8, 8}), options), "no idea");
  options.placement = {5, nullptr};
  expect_error(planning_error(of({8, 8, 8}), options), "no function that gives their ranks");
  options.placement = shuffled(2, 1);
  options.strategy = "fftw | from 1x1x1 | fft 2,1,0";
  expect_error(planning_error(of({8, 8, 8}), options), "a placement and a strategy both say");
  options.strategy.clear();
  options.ranks = 1;
  expect_error(planning_error(of({8, 8, 8}), options),
               "a number of ranks and a placement both say");
  options = quick();
  options.strategy = fmt::format("fftw | from 2x1x1 on {},0 | fft 2,1,0", ranks);
  expect_error(planning_error(of({8, 8, 8}), options),
               fmt::format("a piece of 2x1x1 is on rank {0}, but there {1} {0} rank", ranks,
                           ranks == 1 ? "is" : "are"));
}

TEST(Ranks, some_compute_and_what_is_free_lies_with_them) {
  for (const auto& node_sizes : {std::vector<int>{}, {1, 3}})
    for (const auto& exchange : exchange_names(node_sizes))
      for (int used = 1; used <= ranks_of_world(); used = 2 * used + 1)
        for (const Extents& extents : {Extents{6, 5, 8}, {64}}) {
          Options options = quick();
          options.pretend.node_sizes = node_sizes;
          options.exchange = exchange;
          options.ranks = used;
          AnyPlan plan(MPI_COMM_WORLD, of(extents, used % 2 == 0 ? Kind::r2c : Kind::c2c), options);
          const std::vector<int> chosen = ranks_on_fewest_nodes(used, body_of(plan).machine());
          if (std::find(chosen.begin(), chosen.end(), rank_of_world()) == chosen.end()) {
            EXPECT_TRUE(plan.input().boxes.empty()) << plan.describe(Detail::all);
            EXPECT_TRUE(plan.output().boxes.empty()) << plan.describe(Detail::all);
          }
          is_right_anywhere(plan);
        }
}

TEST(Ranks, some_compute_what_lies_on_all) {
  for (int used = 1; used <= ranks_of_world(); used += 2)
    for (auto input : {Distribution::slab, Distribution::brick, Distribution::boxes})
      for (auto output : {Distribution::free, Distribution::same, Distribution::pencil}) {
        Options options = quick();
        options.pretend.node_sizes = {2};
        options.ranks = used;
        Problem problem = of({8, 9, 10});
        problem.input.form = input;
        problem.output.form = output;
        Dice dice(static_cast<std::uint64_t>(used));
        if (input == Distribution::boxes)
          problem.input =
              Distribution::of_boxes(random_tiling(dice, problem.extents, ranks_of_world()));
        AnyPlan plan(MPI_COMM_WORLD, problem, options);
        is_right_anywhere(plan);
        // Nobody else transforms.
        const std::vector<int> chosen = ranks_on_fewest_nodes(used, body_of(plan).machine());
        const Route route = route_of(body_of(plan).strategy(), plan.problem(), ranks_of_world());
        for (std::size_t i = 0; i < route.before.size(); ++i) {
          const auto* pass = std::get_if<PassStage>(&body_of(plan).strategy().stages[i]);
          if (pass == nullptr || pass->axes.empty()) continue;
          for (int rank = 0; rank < ranks_of_world(); ++rank) {
            if (std::find(chosen.begin(), chosen.end(), rank) != chosen.end()) continue;
            EXPECT_EQ(route.before[i].volume(rank), 0) << plan.describe(Detail::all);
          }
        }
      }
}

TEST(Ranks, are_those_there_are) {
  const int ranks = ranks_of_world();
  for (int used : {-1, ranks + 1}) {
    Options options = quick();
    options.ranks = used;
    expect_error(planning_error(of({8, 8, 8}), options),
                 fmt::format("{} ranks were asked to compute, but there {} {}", used,
                             ranks == 1 ? "is" : "are", ranks));
  }
  Options options = quick();
  options.ranks = ranks;
  const AnyPlan all(MPI_COMM_WORLD, of({8, 8, 8}), options),
      plain(MPI_COMM_WORLD, of({8, 8, 8}), quick());
  EXPECT_EQ(body_of(all).strategy(), body_of(plain).strategy());
}
