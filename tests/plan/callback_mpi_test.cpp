// run/ticket: callbacks: when they are called, what they may do, and what becomes of what they
// throw.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/asked.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/ticket.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::in_chunks;
using test::message_thrown_by;
using test::Subject;

TEST(Callback, is_called_once_and_may_start_the_next_transform) {
  Subject subject(in_chunks("p2p", 2));
  auto back = subject.plan.make_input();
  int calls = 0;
  Ticket second;
  auto first = subject.plan.start_forward(subject.u, subject.v);
  first.then([&] {
    ++calls;
    second = subject.plan.start_backward(subject.v, back);
  });
  first.wait();
  second.wait();
  EXPECT_EQ(calls, 1);
  EXPECT_LT(max_abs_difference(back, subject.u), 1e-13);
  first.then([&] { ++calls; });  // it has ended: at once
  EXPECT_EQ(calls, 2);
}

// Another thread may have ended the transform before its callback is set.
TEST(Callback, that_throws_at_once_is_told_by_its_ticket) {
  Subject subject(in_chunks("p2p", 2));
  auto ticket = subject.plan.start_forward(subject.u, subject.v);
  ticket.wait();
  EXPECT_NO_THROW(ticket.then([] { throw std::runtime_error("too late"); }));
  Ticket moved = std::move(ticket);
  EXPECT_EQ(message_thrown_by([&] { moved.wait(); }), "too late");
  EXPECT_TRUE(moved.test());  // once
  Ticket none;
  none.then([] { throw std::runtime_error("of no transform"); });
  EXPECT_EQ(message_thrown_by([&] { none.test(); }), "of no transform");
  // A ticket that its own callback drops loses what the callback throws.
  auto dropped = std::make_unique<Ticket>(subject.plan.start_backward(subject.v, subject.u));
  dropped->wait();
  dropped->then([&] {
    dropped.reset();
    throw std::runtime_error("lost");
  });
}

TEST(Callback, that_throws_is_told_by_its_ticket_and_by_nobody_else) {
  Subject a(in_chunks("p2p", 2), 1), b(in_chunks("p2p", 2), 2);
  auto first = a.plan.start_forward(a.u, a.v);
  first.then([] { throw std::runtime_error("no room for the result"); });
  auto second = b.plan.start_forward(b.u, b.v);
  EXPECT_NO_THROW(second.wait());
  EXPECT_EQ(message_thrown_by([&] { first.wait(); }), "no room for the result");
  EXPECT_NO_THROW(first.wait());  // once
  EXPECT_EQ(a.difference(), 0);
  a.plan.forward(a.u, a.v);  // the plan is none the worse for it
}

TEST(Callback, that_throws_after_its_ticket_is_dropped_is_told_by_nobody) {
  Subject subject(in_chunks("p2p", 2));
  subject.plan.start_forward(subject.u, subject.v).then([] { throw std::runtime_error("lost"); });
  EXPECT_NO_THROW(subject.plan.forward(subject.u, subject.v));
  EXPECT_EQ(subject.difference(), 0);
}

// The next start of the plan calls it.
TEST(Callback, that_throws_is_told_by_its_ticket_also_after_the_next_run) {
  Subject subject(in_chunks("p2p", 2));
  auto back = subject.plan.make_input();
  auto first = subject.plan.start_forward(subject.u, subject.v);
  first.then([] { throw std::runtime_error("of the first"); });
  auto second = subject.plan.start_backward(subject.v, back);
  EXPECT_NO_THROW(second.wait());
  EXPECT_EQ(message_thrown_by([&] { first.wait(); }), "of the first");
}

TEST(Callback, of_several_each_is_called_in_their_order) {
  Subject subject(in_chunks("p2p", 2));
  std::string calls;
  auto ticket = subject.plan.start_forward(subject.u, subject.v);
  ticket.then([&] { calls += 'a'; });
  ticket.then([&] {
    calls += 'b';
    throw std::runtime_error("the first that throws");
  });
  ticket.then([&] {
    calls += 'c';
    throw std::runtime_error("the second");
  });
  EXPECT_EQ(message_thrown_by([&] { ticket.wait(); }), "the first that throws");
  EXPECT_EQ(calls, "abc");
  EXPECT_NO_THROW(ticket.wait());
}

TEST(Callback, that_starts_the_next_transform_may_be_called_by_another_start) {
  Subject subject(in_chunks("p2p", 2));
  auto back = subject.plan.make_input();
  auto other = subject.plan.make_output();
  Ticket second;
  auto first = subject.plan.start_forward(subject.u, subject.v);
  first.then([&] { second = subject.plan.start_backward(subject.v, back); });
  subject.plan.forward(subject.u, other);
  first.wait();
  second.wait();
  EXPECT_LT(max_abs_difference(back, subject.u), 1e-13);
  EXPECT_EQ(subject.difference(), 0);
  EXPECT_EQ(max_abs_difference(other, subject.v), 0);
}

// On a rank where a transform ends early its callback comes before the application's next start, on
// another one after it. Both are the second start of the plan.
TEST(Callback, that_starts_a_transform_before_or_after_another_start_is_an_error_on_all_ranks) {
  if (test::ranks_of_world() == 1) GTEST_SKIP() << "one rank cannot disagree";
  for (const bool is_late : {false, true}) {
    Subject subject(in_chunks("p2p", 2, 2));
    auto a = subject.plan.make_output(), b = subject.plan.make_output();
    std::string thrown;
    const auto note = [&](const auto& body) {
      const std::string message = message_thrown_by(body);
      if (message.find("callback") != std::string::npos) thrown = message;
    };
    Ticket second, third;
    note([&] {
      auto first = subject.plan.start_forward(subject.u, subject.v);
      const bool is_early = (test::rank_of_world() == 0) != is_late;
      const auto call = [&] { note([&] { third = subject.plan.start_forward(subject.u, a); }); };
      // As if the run had ended before the callback was set, or after.
      if (is_early && is_late) first.wait();
      first.then(call);
      if (is_early) first.wait();
      second = subject.plan.start_forward(subject.u, b);
      first.wait();
    });
    note([&] { second.wait(); });
    note([&] { third.wait(); });
    EXPECT_THAT(thrown, testing::HasSubstr(
                            "is started in a callback on some ranks and elsewhere on others"));
  }
}

// Whichever of two runs ends last starts the next one, on each rank.
TEST(Callback, that_joins_two_transforms_may_be_that_of_either) {
  if (test::ranks_of_world() == 1) GTEST_SKIP() << "ranks have the same order";
  Subject subject(in_chunks("p2p", 2, 2)), next(in_chunks("p2p", 2));
  auto a = subject.plan.make_output();
  int ended = 0;
  Ticket joined;
  const auto join = [&] {
    if (++ended == 2) joined = next.plan.start_forward(next.u, next.v);
  };
  auto first = subject.plan.start_forward(subject.u, subject.v);
  auto second = subject.plan.start_forward(subject.u, a);
  auto& early = test::rank_of_world() == 0 ? first : second;
  auto& late = test::rank_of_world() == 0 ? second : first;
  early.wait();
  early.then(join);
  late.wait();
  late.then(join);
  joined.wait();
  EXPECT_EQ(ended, 2);
  EXPECT_LT(next.difference(), 1e-12);
}

// In the same order on all ranks it is none.
TEST(Callback, may_start_transforms_while_others_of_its_plan_are_in_flight) {
  Subject subject(in_chunks("p2p", 2, 2));
  auto a = subject.plan.make_output(), b = subject.plan.make_output();
  Ticket third;
  auto first = subject.plan.start_forward(subject.u, subject.v);
  first.then([&] { third = subject.plan.start_forward(subject.u, a); });
  first.wait();
  auto second = subject.plan.start_forward(subject.u, b);
  second.wait();
  third.wait();
  EXPECT_LT(max_abs_difference(a, subject.expected), 1e-12);
  EXPECT_LT(max_abs_difference(b, subject.expected), 1e-12);
}

TEST(Callback, of_its_own_ticket_comes_after_those_that_are_open) {
  Subject subject(in_chunks("p2p", 2));
  std::string calls;
  auto ticket = subject.plan.start_forward(subject.u, subject.v);
  ticket.then([&] {
    calls += 'a';
    ticket.then([&] { calls += 'c'; });
  });
  ticket.then([&] { calls += 'b'; });
  ticket.wait();
  EXPECT_EQ(calls, "abc");
}

TEST(Callback, of_a_plan_that_is_destroyed_is_dropped) {
  int calls = 0;
  Ticket ticket;
  std::vector<std::complex<double>> u(8 * 6 * 4), v(8 * 6 * 4);
  {
    AnyPlan plan(MPI_COMM_WORLD, c2c({8, 6, 4}), in_chunks("p2p", 2));
    ticket = plan.start_forward(u.data(), v.data());
    ticket.then([&] { ++calls; });
  }
  EXPECT_TRUE(ticket.test());
  ticket = Ticket();
  EXPECT_EQ(calls, 0);
}

TEST(Callback, may_destroy_its_plan_and_ticket) {
  for (const bool throws : {false, true}) {
    auto subject = std::make_unique<Subject>(in_chunks("p2p", 2));
    auto ticket = std::make_unique<Ticket>(subject->plan.start_forward(subject->u, subject->v));
    bool was_called = false;
    ticket->then([&] {
      ticket.reset();
      subject.reset();
      was_called = true;
      if (throws) throw std::runtime_error("lost");
    });
    while (!was_called) progress();
    EXPECT_EQ(subject, nullptr);
  }
}
