// plan/forbidden_thread: with MPI_THREAD_FUNNELED, one rank uses a plan on a thread that may not
// call MPI, and so cannot tell the others. It is an error on all ranks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "support/asked.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

// Asked by support/mpi_main.
int wanted_thread_level() { return MPI_THREAD_FUNNELED; }

namespace {

const char* const forbidden = "this thread may not call MPI";

bool is_last() { return rank_of_world() == ranks_of_world() - 1; }

std::string told_by_last() {
  return fmt::format("rank {} failed: {}", ranks_of_world() - 1, forbidden);
}

/// What `body` throws on a thread that may not call MPI.
template <class Body>
std::string thrown_elsewhere(const Body& body) {
  std::string message;
  std::thread([&] { message = message_thrown_by(body); }).join();
  return message;
}

/// A subject whose first run has ended on all ranks, as a failure also ends earlier runs.
struct Prepared : Subject {
  explicit Prepared(const Options& options) : Subject(options) {
    never_free(u, v);
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

Options with(const std::string& exchange, int in_flight = 1) {
  Options options = quick();
  options.exchange = exchange;
  options.in_flight = in_flight;
  return options;
}

/// No rank shares memory with another one.
Options on_nodes_of_one_rank() {
  Options options = with("p2p");
  options.pretend.node_sizes = {1};
  return options;
}

bool is_one_node(const ComplexPlan& plan) { return plan.report().machine.nodes == 1; }

class ForbiddenThread : public testing::Test {
 protected:
  void SetUp() override {
    if (ranks_of_world() < 2) GTEST_SKIP() << "there is nobody to be told";
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level >= MPI_THREAD_SERIALIZED) GTEST_SKIP() << "this MPI always allows threads";
  }
};

class EveryExchange : public ForbiddenThread, public testing::WithParamInterface<const char*> {};

}  // namespace

// Where ranks share a node, it does not matter what the rank that refuses does next: here it waits
// for the others outside of weft.
TEST_P(EveryExchange, a_start_on_one_rank_is_an_error_on_all) {
  for (const int in_flight : {1, 2}) {
    Prepared subject(with(GetParam(), in_flight));
    if (!is_one_node(subject.plan)) GTEST_SKIP() << "the ranks share no memory";
    const auto run = [&] { subject.plan.forward(subject.u, subject.v); };
    if (is_last())
      EXPECT_THAT(thrown_elsewhere(run), HasSubstr(forbidden));
    else
      EXPECT_THAT(message_thrown_by(run), HasSubstr(told_by_last()));
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_THAT(message_thrown_by(run), HasSubstr("an earlier run of this plan failed"));
  }
}

TEST_P(EveryExchange, a_wait_or_a_test_on_one_rank_is_an_error_on_all) {
  for (const bool waits : {true, false}) {
    Prepared subject(with(GetParam()));
    if (!is_one_node(subject.plan)) GTEST_SKIP() << "the ranks share no memory";
    Ticket ticket;
    if (is_last()) {
      ticket = subject.plan.start_forward(subject.u, subject.v);
      const auto end = [&] {
        if (waits)
          ticket.wait();
        else
          static_cast<void>(ticket.test());
      };
      EXPECT_THAT(thrown_elsewhere(end), HasSubstr(forbidden));
    } else {
      // Whoever is late must not complete the run before.
      MPI_Recv(nullptr, 0, MPI_INT, ranks_of_world() - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const auto run = [&] { subject.plan.forward(subject.u, subject.v); };
      EXPECT_THAT(message_thrown_by(run), HasSubstr(told_by_last()));
    }
    if (is_last())
      for (int other = 0; other < ranks_of_world() - 1; ++other)
        MPI_Send(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_P(EveryExchange, a_ticket_that_is_dropped_on_one_rank_is_an_error_on_all) {
  Prepared subject(with(GetParam()));
  if (!is_one_node(subject.plan)) GTEST_SKIP() << "the ranks share no memory";
  const auto run = [&] { subject.plan.forward(subject.u, subject.v); };
  if (is_last()) {
    Ticket ticket = subject.plan.start_forward(subject.u, subject.v);
    std::thread([&] { ticket = Ticket(); }).join();
    for (int other = 0; other < ranks_of_world() - 1; ++other)
      MPI_Send(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(nullptr, 0, MPI_INT, ranks_of_world() - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT_THAT(message_thrown_by(run), HasSubstr(told_by_last()));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_THAT(message_thrown_by(run), HasSubstr("an earlier run of this plan failed"));
}

INSTANTIATE_TEST_SUITE_P(Plans, EveryExchange,
                         testing::Values("", "shared", "p2p", "alltoallv", "alltoallw"),
                         [](const auto& test) {
                           return std::string(test.param).empty() ? "of_the_planner" : test.param;
                         });

// Where they do not, the rank tells the others in its next call of weft's on the right thread.
TEST_F(ForbiddenThread, is_told_to_other_nodes_by_the_next_call) {
  Subject other(on_nodes_of_one_rank());
  using Next = void (*)(Subject & mine, Subject & other);
  const Next calls[] = {[](Subject&, Subject&) { progress(); },
                        [](Subject& mine, Subject&) {
                          EXPECT_THAT(message_thrown_by([&] { mine.plan.forward(mine.u, mine.v); }),
                                      HasSubstr("an earlier run of this plan failed"));
                        },
                        [](Subject& mine, Subject&) { const Subject destroyed(std::move(mine)); },
                        [](Subject&, Subject& two) {
                          two.plan.forward(two.u, two.v);
                          EXPECT_EQ(two.difference(), 0);
                        },
                        [](Subject&, Subject&) { const Subject made(on_nodes_of_one_rank()); },
                        [](Subject&, Subject& two) { EXPECT_GT(max_abs(two.u), 0); }};
  for (const Next call : calls) {
    Prepared subject(on_nodes_of_one_rank());
    const auto run = [&] { subject.plan.forward(subject.u, subject.v); };
    if (is_last())
      EXPECT_THAT(thrown_elsewhere(run), HasSubstr(forbidden));
    else
      EXPECT_THAT(message_thrown_by(run), HasSubstr(told_by_last()));
    call(subject, other);
  }
}

// The ranks of the last node hear of it at once, and tell those of the other nodes.
TEST_F(ForbiddenThread, is_told_to_other_nodes_by_the_ranks_of_the_same_node) {
  if (ranks_of_world() < 3) GTEST_SKIP() << "each rank shares its node with another one, or not";
  Options options = with("node");
  options.pretend.node_sizes = {ranks_of_world() - 2, 2};
  Prepared subject(options);
  if (subject.plan.report().machine.nodes != 2) GTEST_SKIP() << "they share no memory";
  const auto run = [&] { subject.plan.forward(subject.u, subject.v); };
  if (is_last())
    EXPECT_THAT(thrown_elsewhere(run), HasSubstr(forbidden));
  else
    EXPECT_THAT(message_thrown_by(run), HasSubstr(told_by_last()));
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(ForbiddenThread, may_ask_for_a_run_that_has_ended) {
  Prepared subject(with(""));
  Ticket ticket = subject.plan.start_forward(subject.u, subject.v);
  ticket.wait();
  EXPECT_EQ(thrown_elsewhere([&] {
              ticket.wait();
              EXPECT_TRUE(ticket.test());
            }),
            "nothing was thrown");
  EXPECT_EQ(subject.difference(), 0);
}

TEST_F(ForbiddenThread, that_makes_progress_is_refused_and_changes_nothing) {
  Prepared subject(with("p2p"));
  Ticket ticket = subject.plan.start_forward(subject.u, subject.v);
  EXPECT_THAT(thrown_elsewhere([] { progress(); }), HasSubstr(forbidden));
  ticket.wait();
  EXPECT_EQ(subject.difference(), 0);
}

TEST_F(ForbiddenThread, all_ranks_that_wait_on_one_are_refused) {
  Prepared subject(with(""));
  Ticket ticket = subject.plan.start_forward(subject.u, subject.v);
  EXPECT_THAT(thrown_elsewhere([&] { ticket.wait(); }), HasSubstr(forbidden));
}

// Its communicators are freed later, by a thread that may.
TEST_F(ForbiddenThread, may_destroy_a_plan) {
  for (const bool is_under_way : {false, true}) {
    auto subject = std::make_unique<Prepared>(with("p2p"));
    if (is_last()) {
      Ticket ticket;
      if (is_under_way) ticket = subject->plan.start_forward(subject->u, subject->v);
      std::thread([&] { subject.reset(); }).join();
    } else if (is_under_way && is_one_node(subject->plan)) {
      EXPECT_THAT(message_thrown_by([&] { subject->plan.forward(subject->u, subject->v); }),
                  HasSubstr(told_by_last()));
    }
    subject.reset();
    Subject next(with("p2p"));
    next.plan.forward(next.u, next.v);
    EXPECT_EQ(next.difference(), 0);
  }
}

// Nobody waits for a rank alone, so that its plan can still be used.
TEST_F(ForbiddenThread, that_starts_a_plan_of_one_rank_breaks_nothing) {
  Subject subject(with(""), 1, MPI_COMM_SELF);
  const auto run = [&] { subject.plan.forward(subject.u, subject.v); };
  EXPECT_THAT(thrown_elsewhere(run), HasSubstr(forbidden));
  run();
  EXPECT_EQ(subject.difference(), 0);
}
