// plan: ranks of one node that cannot map each other's memory send messages, and say why.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/check_plan.hpp"
#include "support/hidden_process.hpp"
#include "support/world.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan.hpp"
#include "weft/plan/machine_here.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;
using testing::Not;

namespace {

// Small enough for messages that MPI copies through its own memory: it cannot reach that of hidden
// processes either.
Problem small(Distribution::Form output) {
  Problem problem;
  problem.extents = {5, 6, 7};
  problem.output.form = output;
  return problem;
}

Options on_one_node() {
  Options options;
  options.effort = Effort::estimate;
  options.pretend.node_sizes = {ranks_of_world()};
  return options;
}

void expect_right_plans(const Options& options) {
  for (auto output : {Distribution::free, Distribution::same, Distribution::brick}) {
    AnyPlan plan(MPI_COMM_WORLD, small(output), options);
    const auto failure = check_plan(plan, known_reference(plan.problem(), 3));
    ASSERT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
  }
}

std::string refusal_of(const std::string& exchange) {
  Options options = on_one_node();
  options.exchange = exchange;
  try {
    const AnyPlan plan(MPI_COMM_WORLD, small(Distribution::free), options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::unsupported) << error.what();
    return error.message();
  }
  return "no error";
}

bool all_are(bool mine) { return Communicator(MPI_COMM_WORLD).min(std::int64_t{mine}) == 1; }

}  // namespace

TEST(Unshared, ranks_that_all_hide_their_memory_are_nodes_of_their_own) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank shares with nobody";
  const HiddenProcess hidden(true);
  if (!all_are(hidden.is_done())) GTEST_SKIP() << "this system lets no process hide its memory";
  const Communicator world(MPI_COMM_WORLD);
  const Machine machine = machine_here(world, on_one_node());
  EXPECT_EQ(machine.nodes(), ranks_of_world());
  EXPECT_THAT(machine.why_not_shared,
              HasSubstr("rank 0 cannot use the memory of rank 1 on its node: cannot map the memory "
                        "of process "));
  EXPECT_EQ(machine.why_not_shared, world.broadcast(machine.why_not_shared, 0));
  expect_right_plans(on_one_node());
  const AnyPlan plan(MPI_COMM_WORLD, small(Distribution::free), on_one_node());
  EXPECT_THAT(plan.describe(Detail::all),
              HasSubstr("ranks that cannot share memory count as different nodes: rank 0 cannot"));
  EXPECT_THAT(plan.describe(), HasSubstr("ranks that cannot share memory count as different"));
  for (const std::string name : {"shared", "node"})
    EXPECT_THAT(refusal_of(name),
                HasSubstr("the exchange '" + name +
                          "' does not apply: rank 0 cannot use the memory of rank 1"));
}

TEST(Unshared, ranks_beside_one_that_hides_still_share_theirs) {
  if (ranks_of_world() < 3) GTEST_SKIP() << "two others are needed";
  const int last = ranks_of_world() - 1;
  const HiddenProcess hidden(rank_of_world() == last);
  if (!all_are(hidden.is_done())) GTEST_SKIP() << "this system lets no process hide its memory";
  const Machine machine = machine_here(Communicator(MPI_COMM_WORLD), on_one_node());
  std::vector<int> expected(static_cast<std::size_t>(last), 0);
  expected.push_back(1);
  EXPECT_EQ(machine.node_of_rank, expected);
  expect_right_plans(on_one_node());
  EXPECT_THAT(refusal_of("shared"), HasSubstr("cannot use the memory of rank"));
  Options options = on_one_node();
  options.exchange = "node";
  options.strategy.clear();
  expect_right_plans(options);
}

TEST(Unshared, ranks_that_hide_nothing_are_one_node) {
  const Machine machine = machine_here(Communicator(MPI_COMM_WORLD), on_one_node());
  EXPECT_EQ(machine.nodes(), 1);
  EXPECT_EQ(machine.why_not_shared, "");
  const AnyPlan plan(MPI_COMM_WORLD, small(Distribution::free), on_one_node());
  EXPECT_THAT(plan.describe(Detail::all), Not(HasSubstr("cannot share memory")));
}
