// choose/pass_trials: what is tried, what is chosen, and that results stay right with any choice.

#include "weft/choose/pass_trials.hpp"
#include "weft/comm/mpi_comm.hpp"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/patience.hpp"
#include "support/sanitized.hpp"
#include "support/world.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/fft/processor_family.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;
using testing::Not;

namespace {

// At least 4096 points for each of 12 ranks, odd and even extents; the small direct reference takes
// a moment for these.
const Extents worth_trials{48, 25, 42};

const PassStage& pass_of(const Stage& stage) { return std::get<PassStage>(stage); }

// Trials of ranks that take turns on the cores take seconds.
bool are_ranks_few() { return ranks_of_world() <= 4; }

std::vector<PassChoice> choices_of(const Strategy& strategy) {
  std::vector<PassChoice> choices;
  for (const Stage& stage : strategy.stages)
    if (std::holds_alternative<PassStage>(stage)) choices.push_back(pass_of(stage).choice);
  return choices;
}

}  // namespace

TEST(PassTrials, a_measured_plan_says_what_was_tried_and_keeps_one_of_it) {
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    Problem problem = of(worth_trials, kind);
    problem.output.form = Distribution::same;
    // A busy machine may leave no time for a trial, and sanitizers leave none to ranks that take
    // turns on the cores.
    const auto tells_what_was_kept = [&] {
      const AnyPlan plan(MPI_COMM_WORLD, problem);
      return plan.describe(Detail::all).find("raced: samples of the passes") != std::string::npos &&
             plan.describe(Detail::all).find("(kept)") != std::string::npos;
    };
    if (!is_sanitized || are_ranks_few()) {
      EXPECT_TRUE(comes_true(tells_what_was_kept));
    }
    AnyPlan plan(MPI_COMM_WORLD, problem);
    const auto failure = check_plan(plan, known_reference(validated(problem), 42));
    EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
    // What was measured can be demanded, and is not measured again.
    Options options;
    options.strategy = plan.strategy();
    AnyPlan again(MPI_COMM_WORLD, problem, options);
    EXPECT_EQ(again.strategy(), plan.strategy());
    EXPECT_THAT(again.describe(Detail::all), Not(HasSubstr("raced: ")));
    EXPECT_FALSE(check_plan(again, known_reference(validated(problem), 42)));
  }
}

// What one round keeps is tried in the next one, too. It is listed once, with one mark for a pass.
TEST(PassTrials, each_candidate_is_told_once) {
  const AnyPlan plan(MPI_COMM_WORLD, of(worth_trials, Kind::c2c));
  const std::string text = plan.describe(Detail::all);
  std::istringstream lines(text.substr(std::min(text.find("raced: "), text.size())));
  std::set<std::string> told, kept;
  int raced = 0;
  bool is_of_samples = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("raced: ")) is_of_samples = line.starts_with("raced: samples");
    const auto name = line.find(" ms  ");
    if (name == std::string::npos) continue;
    ++raced;
    if (!is_of_samples) continue;
    const auto mark = line.find("  (kept)");
    EXPECT_TRUE(told.insert(line.substr(name, mark - name)).second) << text;
    // "fft 2,1 in columns" and "fft 2,1 in rows" are of one pass.
    const std::string pass = line.substr(name, line.find(' ', name + sizeof " ms  fft") - name);
    EXPECT_TRUE(mark == std::string::npos || kept.insert(pass).second) << text;
  }
  const std::string count = " " + std::to_string(raced) + " ways to run it were raced";
  EXPECT_EQ(plan.describe().find(count) != std::string::npos, raced > 0) << plan.describe();
}

TEST(PassTrials, nothing_is_tried_where_nothing_may_be_measured_or_it_would_tell_nothing) {
  Options estimate, reproducible;
  estimate.effort = Effort::estimate;
  reproducible.reproducible = true;
  for (const Options& options : {estimate, reproducible}) {
    const AnyPlan plan(MPI_COMM_WORLD, of(worth_trials), options);
    EXPECT_THAT(plan.describe(Detail::all), Not(HasSubstr("raced: ")));
    for (const PassChoice& choice : choices_of(body_of(plan).strategy()))
      EXPECT_EQ(choice, PassChoice{});
  }
  const AnyPlan small(MPI_COMM_WORLD, of({8, 8, 8}));
  EXPECT_THAT(small.describe(Detail::all), Not(HasSubstr("raced: ")));
}

TEST(PassTrials, an_engine_that_is_asked_for_is_the_only_one) {
  for (const EngineEntry& entry : engines()) {
    if (entry.applies() || !are_ranks_few()) continue;
    Options options;
    options.engine = entry.name;
    const AnyPlan plan(MPI_COMM_WORLD, of(worth_trials), options);
    EXPECT_EQ(body_of(plan).strategy().engine, entry.name);
    // A transform of the whole field by the engine says its name.
    for (const PassChoice& choice : choices_of(body_of(plan).strategy()))
      EXPECT_THAT(choice.engines, testing::Each(entry.name)) << plan.strategy();
  }
}

TEST(PassTrials, without_time_the_rule_decides) {
  Options options;
  options.effort = Effort::estimate;
  const AnyPlan plan(MPI_COMM_WORLD, of(worth_trials), options);
  const Problem problem = validated(of(worth_trials));
  // Also where memory is known to be too slow for a few runs of the smallest sample.
  for (const bool is_slow : {false, true}) {
    Machine machine = body_of(plan).machine();
    if (is_slow) machine.speeds.walked_bytes_per_second = 1;
    const Blueprint blueprint = Blueprint::of(problem, body_of(plan).strategy(), machine);
    const auto [measured, by_rule] =
        measured_choices(*body_of(plan).comm(), blueprint, "", is_slow ? 100 : -1);
    EXPECT_EQ(measured.tried, "");
    EXPECT_EQ(measured.strategy, by_rule);
    for (const PassChoice& choice : choices_of(measured.strategy)) {
      EXPECT_TRUE(choice.engines.empty());
      EXPECT_FALSE(choice.prefetches);
    }
  }
}

void expect_right_with_any_choice(const Problem& problem) {
  const Reference& reference = known_reference(validated(problem), 42);
  Options options;
  options.effort = Effort::estimate;
  const AnyPlan plain(MPI_COMM_WORLD, problem, options);
  for (const EngineEntry& entry : engines()) {
    if (entry.applies()) continue;
    for (const bool yes : {true, false}) {
      Strategy strategy = body_of(plain).strategy();
      for (Stage& stage : strategy.stages)
        if (auto* pass = std::get_if<PassStage>(&stage))
          pass->choice = {pass->axes.empty() ? std::vector<std::string>{}
                                             : std::vector<std::string>{entry.name},
                          yes,
                          yes,
                          yes,
                          yes,
                          yes,
                          false};
      Options with_choices = options;
      with_choices.strategy = to_string(strategy);
      AnyPlan plan(MPI_COMM_WORLD, problem, with_choices);
      const auto failure = check_plan(plan, reference);
      EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
    }
  }
}

TEST(PassTrials, any_choice_gives_the_same_transform) {
  expect_right_with_any_choice(of({24, 21, 20}));
  expect_right_with_any_choice(of({24, 21, 20}, Kind::r2c));
}

// The last axis of the first pass has one point, and so is not the last that is transformed.
TEST(PassTrials, axes_of_one_point_have_no_columns) {
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    expect_right_with_any_choice(of({48, 1, 42}, kind));
    if (!are_ranks_few()) continue;
    const Problem problem = of({256, 1, 256}, kind);
    const AnyPlan measured(MPI_COMM_WORLD, problem);
    const auto& stages = body_of(measured).strategy().stages;
    for (const Stage& stage : stages)
      if (const auto* pass = std::get_if<PassStage>(&stage);
          pass != nullptr && !pass->axes.empty() && pass->axes.back() == 1) {
        EXPECT_FALSE(pass->choice.keeps_columns) << measured.strategy();
      }
  }
}

// Half of the ranks have AVX2 at most: beside others with AVX-512, their lanes are narrower and
// their times differ. The rules of both keep columns.
TEST(PassTrials, ranks_on_different_processors_make_the_same_choices) {
  if (!are_ranks_few()) return;
  const Communicator world(MPI_COMM_WORLD);
  if (rank_of_world() % 2 == 0) pretend_at_most(VectorSet::avx2);
  for (const double seconds : {-1.0, 0.1}) {
    Options options;
    options.effort = Effort::estimate;
    const AnyPlan plain(MPI_COMM_WORLD, of({64, 64, 64}), options);
    const Problem problem = validated(of({64, 64, 64}));
    const Blueprint blueprint =
        Blueprint::of(problem, body_of(plain).strategy(), body_of(plain).machine());
    const Strategy measured =
        measured_choices(*body_of(plain).comm(), blueprint, "", seconds).measured.strategy;
    const std::string of_rank_0 = world.broadcast(to_string(measured), 0);
    EXPECT_EQ(to_string(measured), of_rank_0);
    EXPECT_FALSE(choices_of(measured).empty());
    for (const PassChoice& choice : choices_of(measured)) EXPECT_TRUE(choice.keeps_columns);
    // Without time nothing is tried: if the rule of any rank keeps columns, all ranks keep them.
    if (seconds < 0 && ranks_of_world() > 1 && !no_lanes(256) &&
        body_of(plain).strategy().engine == "weft") {
      for (const PassChoice& choice : choices_of(measured))
        EXPECT_EQ(choice.keeps_columns, std::optional(true)) << to_string(measured);
    }
  }
  const AnyPlan plan(MPI_COMM_WORLD, of({64, 64, 64}));
  const std::string text = to_string(body_of(plan).strategy());
  EXPECT_EQ(text, world.broadcast(text, 0));
  pretend_at_most(VectorSet::avx512);
}

TEST(PassTrials, fields_of_four_axes_are_sampled) {
  if (!are_ranks_few()) return;
  Options options;
  options.effort = Effort::estimate;
  const AnyPlan plain(MPI_COMM_WORLD, of({40, 36, 32, 48}), options);
  const Blueprint blueprint = Blueprint::of(validated(of({40, 36, 32, 48})),
                                            body_of(plain).strategy(), body_of(plain).machine());
  const auto found = measured_choices(*body_of(plain).comm(), blueprint, "", endless);
  EXPECT_THAT(found.measured.tried, HasSubstr("(kept)"));
}

TEST(PassTrials, an_engine_that_is_not_there_is_an_error_on_all_ranks) {
  Options options;
  options.effort = Effort::estimate;
  const AnyPlan plain(MPI_COMM_WORLD, of({8, 8, 8}), options);
  Strategy strategy = body_of(plain).strategy();
  for (Stage& stage : strategy.stages)
    if (auto* pass = std::get_if<PassStage>(&stage)) pass->choice.engines = {"abacus"};
  options.strategy = to_string(strategy);
  try {
    const AnyPlan plan(MPI_COMM_WORLD, of({8, 8, 8}), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("abacus"));
  }
}
