// plan: ranks of a node on each other's memory, nodes of every size, and what that takes.

#include <gtest/gtest.h>

#include "support/check_plan.hpp"
#include "support/tested_driver.hpp"
#include "support/world.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan.hpp"

using namespace weft;
using namespace weft::test;

namespace {

Problem node_problem(const Extents& extents, Kind kind, bool in_place) {
  Problem problem;
  problem.extents = extents;
  problem.kind = kind;
  problem.in_place = in_place;
  return problem;
}

// Bytes of all ranks' workspaces, and of one field in its larger form.
struct PlannedBytes {
  std::int64_t workspaces, field;
};

PlannedBytes memory_of(Problem problem, Distribution::Form output) {
  problem.output.form = output;
  Options options;
  options.effort = Effort::estimate;
  options.threads = 1;
  options.pretend.cache_bytes =
      65536;  // small tiles, so that fields stand out; planes are tiles still
  options.pretend.shared_cache_bytes = 8 << 20;
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const Communicator comm(MPI_COMM_WORLD);
  PlannedBytes memory{0, 0};
  for (const auto& mine :
       comm.gather_all({plan.workspace_bytes(),
                        std::max(plan.input().elements * plan.input().scalar.bytes(),
                                 plan.output().elements * plan.output().scalar.bytes())})) {
    memory.workspaces += mine[0];
    memory.field += mine[1];
  }
  return memory;
}

constexpr std::int64_t most_tile_bytes = std::int64_t{600} << 10;

}  // namespace

TEST(Node, transforms_are_right_on_nodes_of_every_size) {
  const std::vector<std::vector<int>> node_sizes{{}, {1}, {2}, {3}, {1, 3}, {2, 2, 3}};
  for (const auto& sizes : node_sizes)
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (bool in_place : {false, true})
        for (auto output : {Distribution::free, Distribution::same, Distribution::brick}) {
          Problem problem = node_problem({14, 15, 16}, kind, in_place);
          problem.output.form = output;
          Options options;
          options.exchange = "node";
          options.pretend.node_sizes = sizes;
          options.effort = Effort::estimate;
          AnyPlan plan(MPI_COMM_WORLD, problem, options);
          for (Arrays arrays : {Arrays::of_weft, Arrays::any}) {
            const auto failure =
                check_plan(plan, known_reference(plan.problem(), 7), nullptr, arrays);
            ASSERT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
          }
        }
}

// What is stated is all there is: c2c in place needs tiles and nothing else; everything else one
// further field of the node at most, and two on devices, where each pass has one axis.
TEST(Node, needs_one_further_field_at_most_and_two_on_devices) {
  const std::int64_t tiles = ranks_of_world() * most_tile_bytes;
  const int most_fields = driver_of_environment().empty() ? 1 : 2;
  for (auto output : {Distribution::free, Distribution::same}) {
    EXPECT_LE(memory_of(node_problem({96, 96, 96}, Kind::c2c, true), output).workspaces, tiles);
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (bool in_place : {false, true}) {
        const PlannedBytes memory = memory_of(node_problem({96, 96, 96}, kind, in_place), output);
        EXPECT_LE(memory.workspaces, most_fields * memory.field + tiles)
            << to_string(kind) << (in_place ? " in place" : "");
      }
  }
}

// Only what the node cannot see is stood in for, rank by rank.
TEST(Node, takes_arrays_of_any_making_on_any_rank) {
  auto problem = c2c({12, 10, 8});
  problem.output.form = Distribution::same;
  auto plan = Plan(MPI_COMM_WORLD, problem);
  auto u = plan.make_input();
  auto v = plan.make_output();
  for (auto [at, x] : u.points()) x = std::complex<double>(at[0] + 1, at[1] * at[2]);
  plan.forward(u, v);
  std::vector<std::complex<double>> mine(static_cast<std::size_t>(v.size()));
  const bool is_odd = rank_of_world() % 2 == 1;
  std::complex<double>* const to = is_odd ? mine.data() : v.data();
  const std::vector<std::complex<double>> expected(v.data(), v.data() + v.size());
  std::fill_n(v.data(), v.size(), 0);
  plan.forward(u.data(), to);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to));
}

// Forward, only the output is worked on by others: a foreign input is read where it lies.
TEST(Node, stands_in_only_for_what_the_others_work_on) {
  auto problem = c2c({12, 12, 8});
  problem.output.form = Distribution::same;
  Options options;
  options.strategy =
      fmt::format("fftw | from {0}x1x1 | fft 2,1 | shared to 1x{0}x1 | fft 0 | shared to {0}x1x1",
                  ranks_of_world());
  auto plan = Plan(MPI_COMM_WORLD, problem, options);
  auto v = plan.make_output();
  std::vector<std::complex<double>> mine(static_cast<std::size_t>(plan.input().elements) + 1);
  const std::int64_t before = plan.workspace_bytes();
  plan.forward(mine.data(), v.data());
  EXPECT_EQ(plan.workspace_bytes(), before);
}

// Whatever they are made of, on any rank, and from run to run: nothing is copied for the node.
TEST(Node, plans_for_any_arrays_hold_no_stand_ins) {
  for (const bool in_place : {false, true})
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (auto output : {Distribution::free, Distribution::same, Distribution::brick}) {
        Problem problem = node_problem({14, 15, 16}, kind, in_place);
        problem.output.form = output;
        Options options;
        options.effort = Effort::estimate;
        options.arrays = Arrays::any;
        options.pretend.cache_bytes = 2048;  // rings of many cells
        AnyPlan plan(MPI_COMM_WORLD, problem, options);
        options.arrays = Arrays::of_weft;
        AnyPlan of_weft(MPI_COMM_WORLD, problem, options);
        const Reference& reference = known_reference(plan.problem(), 7);
        std::vector<std::byte> bits, expected;
        ASSERT_FALSE(check_plan(of_weft, reference, &expected, Arrays::of_weft));
        const bool is_odd = rank_of_world() % 2 == 1;
        for (Arrays arrays : {Arrays::any, is_odd ? Arrays::any : Arrays::of_weft}) {
          bits.clear();
          const auto failure = check_plan(plan, reference, &bits, arrays);
          ASSERT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
          EXPECT_EQ(bits, expected);
        }
        // On a device, for what is in memory of the processor.
        if (driver_of_environment().empty()) {
          EXPECT_EQ(plan.memory().held.stand_ins, 0) << plan.describe(Detail::all);
        }
        EXPECT_EQ(plan.memory().planned.stand_ins, 0) << to_string(plan.problem());
      }
}

TEST(Node, a_node_of_no_ranks_is_refused) {
  Options options;
  options.pretend.node_sizes = {2, 0};
  EXPECT_THROW(AnyPlan(MPI_COMM_WORLD, node_problem({8, 8, 8}, Kind::c2c, false), options), Error);
}

TEST(Node, shared_memory_reaches_one_node) {
  if (ranks_of_world() < 2) return;
  Options options;
  options.exchange = "shared";
  options.pretend.node_sizes = {1};
  try {
    AnyPlan plan(MPI_COMM_WORLD, node_problem({8, 8, 8}, Kind::c2c, false), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nodes; within each, `node` does the same"),
              std::string::npos)
        << error.what();
  }
}
