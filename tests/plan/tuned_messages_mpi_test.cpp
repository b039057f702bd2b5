// plan/tuned_messages: who takes exchanges further, and the sizes of messages, are tuned,
// remembered and run - and what the user asks for wins.

#include <gmock/gmock.h>

#include "support/asked.hpp"
#include "support/wisdom_here.hpp"
#include "weft/any_plan.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/tuning.hpp"

using namespace weft;
using namespace weft::test;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::Not;

namespace {

using TunedMessages = WisdomHere;

Progress progress_of(const Problem& problem, const Options& options) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_TRUE(is_remembered(plan)) << plan.describe(Detail::all);
  expect_right(plan);
  return plan.report().progress;
}

// Two nodes where there are ranks for them.
Options on_nodes(int ranks) {
  Options options = measuring();
  options.pretend.node_sizes = {(ranks + 1) / 2};
  options.exchange = ranks > 1 ? "node" : "";
  return options;
}

std::vector<std::string> rounds_of(const Problem& problem, const Options& options) {
  const auto comm = std::make_shared<const Communicator>(Communicator(MPI_COMM_WORLD).duplicate());
  auto untuned = PlanBody::make_unreported(comm, problem, options);
  std::vector<std::string> rounds;
  for (const Raced& raced : tuned(std::move(untuned), problem, options).raced)
    rounds.push_back(raced.round);
  return rounds;
}

}  // namespace

TEST_F(TunedMessages, a_plan_has_the_progress_that_is_remembered) {
  const Problem problem = of({12, 7, 10});
  WisdomEntry entry = entry_for(problem, measuring());
  write(entry);
  EXPECT_EQ(progress_of(problem, measuring()), Progress::by_tiles) << "nothing is remembered of it";
  entry.progress = Progress::by_calls;
  write(entry);
  EXPECT_EQ(progress_of(problem, measuring()), Progress::by_calls);
  const std::string text = AnyPlan(MPI_COMM_WORLD, problem, measuring()).describe(Detail::all);
  EXPECT_EQ(text.find("progress inline, as tuned") != std::string::npos, ranks() > 1) << text;
}

TEST_F(TunedMessages, the_progress_that_the_user_asks_for_wins) {
  const Problem problem = of({12, 7, 10});
  Options options = measuring();
  WisdomEntry entry = entry_for(problem, options);
  entry.progress = Progress::by_calls;
  write(entry);
  options.progress = Progress::by_tiles;
  EXPECT_EQ(progress_of(problem, options), Progress::by_tiles);
  // What was tuned for another progress is not known to be fast with this one.
  options.progress = Progress::by_calls;
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_FALSE(is_remembered(plan));
  EXPECT_EQ(plan.report().progress, Progress::by_calls);
  entry = entry_for(problem, options);
  entry.progress = Progress::by_tiles;  // as nobody but a person would write it
  write(entry);
  EXPECT_EQ(progress_of(problem, options), Progress::by_calls);
}

TEST_F(TunedMessages, a_thread_that_mpi_does_not_allow_is_left_out) {
  const Problem problem = of({12, 7, 10});
  WisdomEntry entry = entry_for(problem, measuring());
  entry.progress = Progress::by_thread;
  write(entry);
  const bool is_allowed = allows_progress_thread(Communicator(MPI_COMM_WORLD));
  testing::internal::CaptureStderr();
  AnyPlan plan(MPI_COMM_WORLD, problem, measuring());
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(is_remembered(plan));
  EXPECT_EQ(told.find("was tuned with a thread") != std::string::npos, !is_allowed && rank() == 0);
  EXPECT_EQ(plan.report().progress, is_allowed ? Progress::by_thread : Progress::by_tiles);
  EXPECT_EQ(plan.describe(Detail::all).find("as MPI allows none") == std::string::npos, is_allowed);
  expect_right(plan);
}

TEST_F(TunedMessages, a_plan_has_the_sizes_of_messages_that_are_remembered) {
  const Problem problem = of({12, 16, 10});
  Options options = on_nodes(ranks());
  WisdomEntry entry = entry_for(problem, options);
  entry.segment_bytes = 48;
  entry.eager_message_bytes = 1;
  write(entry);
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_TRUE(is_remembered(plan)) << plan.describe(Detail::all);
  EXPECT_EQ(plan.report().machine.segment_bytes, 48);
  EXPECT_EQ(plan.report().machine.eager_message_bytes, 1);
  const std::string text = plan.describe(Detail::all);
  EXPECT_EQ(text.find("segments of at least 48 bytes, as tuned") != std::string::npos, ranks() > 1)
      << text;
  expect_right(plan);
}

TEST_F(TunedMessages, results_do_not_depend_on_the_sizes_of_segments) {
  const Problem problem = of({12, 16, 10});
  for (const std::int64_t bytes : {0, 1, 100, 1 << 30}) {
    Options options = on_nodes(ranks());
    options.effort = Effort::estimate;
    options.segment_bytes = bytes;
    AnyPlan plan(MPI_COMM_WORLD, problem, options);
    EXPECT_EQ(plan.report().machine.segment_bytes, bytes == 0 ? 1 << 16 : bytes);
    expect_right(plan);
  }
}

TEST_F(TunedMessages, what_is_possible_is_raced) {
  Options options = with_time_for_all_rounds(on_nodes(ranks()));
  options.effort = Effort::tune;
  options.chunks = 1;  // if more of them win a race, their messages are too small to be cut
  const auto rounds = rounds_of(of({32, 32, 16}), options);
  if (ranks() == 1) {
    EXPECT_THAT(rounds, Each(Not(AnyOf("progress", "segments"))));
  } else {
    EXPECT_THAT(rounds, Contains("progress"));
  }
  // Two ranks of a node have half of 64 KiB each to send to the other node.
  if (ranks() == 4) {
    EXPECT_THAT(rounds, Contains("segments"));
  }
}

TEST_F(TunedMessages, what_the_user_asks_for_is_not_raced) {
  Options options = on_nodes(ranks());
  options.effort = Effort::tune;
  options.tune_seconds = 1;
  options.progress = Progress::by_calls;
  options.segment_bytes = 1 << 12;
  options.pretend.eager_message_bytes = 1 << 12;
  EXPECT_THAT(rounds_of(of({12, 16, 10}), options),
              Each(Not(AnyOf("progress", "segments", "eager messages"))));
}

TEST_F(TunedMessages, of_an_older_weft_are_used_as_they_are) {
  const Problem problem = of({12, 7, 10});
  std::string text = [&] {
    Wisdom wisdom;
    wisdom.learn(entry_for(problem, measuring()));
    return to_text(wisdom);
  }();
  for (const auto& [now, then] : {std::pair("\"weft_wisdom\": 2", "\"weft_wisdom\": 1"),
                                  {"\"segment_bytes\": 0,", ""},
                                  {"\"eager_message_bytes\": 0,", ""},
                                  {"\"progress\": \"automatic\",", ""}})
    text.replace(text.find(now), std::string(now).size(), then);
  write(text);
  EXPECT_EQ(progress_of(problem, measuring()), Progress::by_tiles);
}

// Keys of the default options are empty, and others have always told the progress.
TEST_F(TunedMessages, of_an_older_weft_have_the_same_keys) {
  Options options = measuring();
  EXPECT_EQ(entry_for(of({6, 7, 5}), options).key.options, "");
  options.progress = Progress::by_tiles;
  EXPECT_EQ(entry_for(of({6, 7, 5}), options).key.options, "");
  options.progress = Progress::automatic;
  options.in_flight = 2;
  EXPECT_EQ(entry_for(of({6, 7, 5}), options).key.options,
            "exchange '' engine '' decomposition free grid '' ranks 0 0 pieces strategy '' effort "
            "measure threads 0 cache bytes 0 and 0 eager bytes 0 node sizes  chunks 0 in flight 2 "
            "progress tiles");
}

TEST_F(TunedMessages, ranks_that_disagree_are_told) {
  if (ranks() < 2) GTEST_SKIP();
  Options options = measuring();
  options.progress = rank() == 0 ? Progress::automatic : Progress::by_tiles;
  expect_error(planning_error(of({6, 7, 5}), options), "options");
  options = measuring();
  options.segment_bytes = rank();
  expect_error(planning_error(of({6, 7, 5}), options), "options");
}

TEST_F(TunedMessages, segments_of_no_size_are_an_error) {
  for (const std::int64_t bytes : {std::int64_t{-1}, std::int64_t{1} << 60}) {
    Options options = measuring();
    options.segment_bytes = bytes;
    expect_error(planning_error(of({6, 7, 5}), options), "segments of");
  }
}
