// plan/report: what a plan tells of itself and of its runs, as values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

double clock_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double busy_seconds(const RunReport& report) {
  return std::accumulate(report.stages.begin(), report.stages.end(), 0.0,
                         [](double sum, const StageReport& stage) { return sum + stage.seconds; });
}

// A stage of a run that took place between `began` and `ended`.
void expect_within(const StageReport& stage, double began, double ended) {
  if (stage.start == 0) return;  // nothing to do on this rank
  EXPECT_GE(stage.start, began) << stage.name;
  EXPECT_LE(stage.start + stage.seconds, ended) << stage.name;
  for (const ItemReport& item : stage.items) {
    EXPECT_GE(item.start, stage.start) << stage.name;
    EXPECT_LE(item.start + item.seconds, ended) << stage.name;
  }
}

}  // namespace

TEST(Report, times_of_the_last_run_lie_within_it_and_their_sum_is_no_more) {
  Plan plan(MPI_COMM_WORLD, r2c({24, 18, 20}), quick());
  auto u = plan.make_input();
  auto v = plan.make_output();
  for (int run = 0; run < 3; ++run) {
    for (const bool is_forward : {true, false}) {
      const double began = clock_now();
      if (is_forward)
        plan.forward(u, v);
      else
        plan.backward(v, u);
      const double ended = clock_now();
      const PlanReport report = plan.report();
      const RunReport& of = is_forward ? report.forward : report.backward;
      for (const StageReport& stage : of.stages) expect_within(stage, began, ended);
      EXPECT_GT(busy_seconds(of), 0);
      EXPECT_LE(busy_seconds(of), ended - began);
    }
  }
}

TEST(Report, counts_the_runs_that_were_started) {
  Plan plan(MPI_COMM_WORLD, c2c({24, 18, 20}), quick());
  auto u = plan.make_input();
  auto v = plan.make_output();
  EXPECT_EQ(plan.report().forward.runs, 0);
  for (const StageReport& stage : plan.report().forward.stages) EXPECT_EQ(stage.seconds, 0);
  for (int run = 0; run < 5; ++run) plan.forward(u, v);
  for (int run = 0; run < 2; ++run) plan.backward(v, u);
  EXPECT_THROW(plan.forward(u.data(), u.data()), Error);  // refused on all ranks: not in place
  EXPECT_EQ(plan.report().forward.runs, 5);
  EXPECT_EQ(plan.report().backward.runs, 2);
}

// describe(Detail::all) has a line for every stage of the strategy: "fft 2,1" or "p2p to 1x4x1".
TEST(Report, names_the_stages_as_describe_does) {
  Plan plan(MPI_COMM_WORLD, c2c({24, 18, 20}), quick());
  const PlanReport report = plan.report();
  const std::string words = plan.describe(Detail::all);
  EXPECT_EQ(report.strategy, to_string(plan.strategy()));
  EXPECT_THAT(words, HasSubstr("strategy: " + report.strategy));
  std::vector<std::string> passes, exchanges;
  for (const StageReport& stage : report.forward.stages) {
    const std::string text = stage.name.substr(stage.name.find(": ") + 2);
    if (stage.is_exchange) {
      EXPECT_THAT(words, HasSubstr("\n  " + text));
      EXPECT_EQ(stage.name, "exchange " + std::to_string(exchanges.size()) + ": " + text);
      EXPECT_EQ(stage.passes, 0U);
      exchanges.push_back(text);
    } else {
      EXPECT_THAT(stage.name, StartsWith("pass " + std::to_string(passes.size()) + ": axes "));
      EXPECT_THAT(words, HasSubstr("\n  fft " + text.substr(sizeof "axes " - 1)));
      EXPECT_EQ(stage.passes, 1U);
      passes.push_back(text);
    }
  }
  EXPECT_FALSE(passes.empty());
  EXPECT_EQ(exchanges.empty(), ranks_of_world() == 1);
}

TEST(Report, tells_the_machine_and_the_choices_that_the_options_ask_for) {
  Options options = quick();
  options.threads = 2;
  options.segment_bytes = 12345;
  options.progress = Progress::by_calls;
  options.pretend.cache_bytes = 1 << 15;
  options.pretend.shared_cache_bytes = 1 << 18;
  options.pretend.eager_message_bytes = 777;
  options.pretend.node_sizes = {2};
  const int ranks = ranks_of_world();
  AnyPlan plan(MPI_COMM_WORLD, c2c({24, 18, 20}), options);
  const PlanReport report = plan.report();
  EXPECT_EQ(report.machine.ranks, ranks);
  EXPECT_EQ(report.machine.nodes, (ranks + 1) / 2);
  ASSERT_EQ(std::ssize(report.machine.node_of_rank), ranks);
  for (int rank = 0; rank < ranks; ++rank)
    EXPECT_EQ(report.machine.node_of_rank[static_cast<std::size_t>(rank)], rank / 2);
  EXPECT_EQ(report.machine.threads_of_rank, std::vector<int>(static_cast<std::size_t>(ranks), 2));
  EXPECT_EQ(report.machine.cache_bytes, 1 << 15);
  EXPECT_EQ(report.machine.shared_cache_bytes, 1 << 18);
  EXPECT_EQ(report.machine.eager_message_bytes, 777);
  EXPECT_EQ(report.machine.segment_bytes, 12345);
  EXPECT_EQ(report.progress, Progress::by_calls);
  EXPECT_FALSE(report.is_remembered);
  EXPECT_EQ(report.engine, plan.engine());
  EXPECT_EQ(report.memory.planned, plan.memory().planned);
  EXPECT_EQ(report.memory.held, plan.memory().held);
}

// The data are in pieces along axis 0 until the exchange, and along axis 1 after it.
TEST(Report, tells_the_grid_the_axes_and_the_exchange_of_each_stage) {
  const int ranks = ranks_of_world();
  const std::string number = std::to_string(ranks);
  Options options = quick();
  options.strategy = "fftw | from " + number + "x1x1 | fft 2,1 | p2p to 1x" + number + "x1 | fft 0";
  for (const Kind kind : {Kind::c2c, Kind::c2r}) {
    // c2r runs the strategy of r2c the other way round.
    AnyPlan plan(MPI_COMM_WORLD, of({24, 18, 20}, kind), options);
    const PlanReport report = plan.report();
    const auto& there = (kind == Kind::c2r ? report.backward : report.forward).stages;
    const auto& back = (kind == Kind::c2r ? report.forward : report.backward).stages;
    ASSERT_EQ(there.size(), 3U);
    ASSERT_EQ(back.size(), 3U);
    EXPECT_EQ(there[0].axes, (std::vector<int>{2, 1}));
    EXPECT_EQ(there[1].axes, std::vector<int>());
    EXPECT_EQ(there[2].axes, std::vector<int>{0});
    EXPECT_EQ(there[0].exchange, "");
    EXPECT_EQ(there[1].exchange, "p2p");
    const Dims slabs{ranks, 1, 1}, other_slabs{1, ranks, 1};
    EXPECT_EQ(there[0].grid, slabs);
    EXPECT_EQ(there[1].grid, other_slabs);
    EXPECT_EQ(there[2].grid, other_slabs);
    EXPECT_EQ(back[0].axes, std::vector<int>{0});
    EXPECT_EQ(back[0].grid, other_slabs);
    EXPECT_EQ(back[1].grid, slabs);
    EXPECT_EQ(back[2].grid, slabs);
  }
}

// Strategies number the axes in the order of memory, and after a batch.
TEST(Report, tells_axes_and_grids_as_the_field_numbers_its_axes) {
  const int ranks = ranks_of_world();
  auto problem = c2c({24, 18, 20});
  problem.batch = 3;
  problem.input = problem.output = Distribution::of_my_boxes(
      {Box{{0, 0, 20 * rank_of_world() / ranks}, {24, 18, 20 * (rank_of_world() + 1) / ranks}}});
  problem.input.storage = problem.output.storage = Storage::column_major(3);
  Options options = quick();
  options.strategy = "fftw | from input | fft 3,2 | p2p to 1x1x" + std::to_string(ranks) +
                     "x1 | fft 1 | node to output";
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const auto stages = plan.report().forward.stages;
  std::vector<std::vector<int>> axes;
  std::vector<Dims> grids;
  for (const StageReport& stage : stages) {
    axes.push_back(stage.axes);
    grids.push_back(stage.grid);
  }
  using Lists = std::vector<std::vector<int>>;
  const Dims boxes, grid{1, ranks, 1};
  // Plans add copies where an exchange cannot work on the arrays of the application.
  EXPECT_THAT(axes, testing::AnyOf(Lists{{0, 1}, {}, {2}, {}}, Lists{{0, 1}, {}, {2}, {}, {}}));
  grids.resize(4);
  EXPECT_EQ(grids, (std::vector<Dims>{boxes, grid, grid, boxes}));
}
