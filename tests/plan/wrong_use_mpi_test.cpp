// plan: runs that are started wrongly, on all ranks or on one, are refused on all.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <string>
#include <thread>
#include <vector>

#include "support/asked.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/base/ensure.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::in_chunks;
using test::message_thrown_by;
using test::never_free;
using test::rank_of_world;
using test::ranks_of_world;
using test::Subject;
using testing::HasSubstr;

TEST(WrongUse, of_an_output_that_overlaps_the_input_is_refused) {
  Subject subject(in_chunks("p2p", 4));
  const auto elements = static_cast<std::size_t>(
      std::max(subject.plan.input().elements, subject.plan.output().elements));
  std::vector<std::complex<double>> both(elements + 8);
  const auto message = [&](std::size_t from, std::size_t to) {
    return message_thrown_by([&] { subject.plan.forward(both.data() + from, both.data() + to); });
  };
  if (std::min(subject.plan.input().elements, subject.plan.output().elements) < 9) return;
  EXPECT_THAT(message(0, 8), HasSubstr("input and output overlap: they begin 128 bytes apart"));
  EXPECT_THAT(message(8, 0), HasSubstr("input and output overlap: they begin 128 bytes apart"));
  subject.plan.forward(subject.u, subject.v);
  EXPECT_EQ(subject.difference(), 0);
}

TEST(WrongUse, of_one_output_for_two_transforms_is_refused) {
  Subject subject(in_chunks("p2p", 4, 4));
  auto other = subject.plan.make_input();
  auto ticket = subject.plan.start_forward(subject.u, subject.v);
  EXPECT_THAT(message_thrown_by([&] { subject.plan.start_forward(subject.u, subject.v).wait(); }),
              HasSubstr("a transform that is under way works on the output"));
  ticket.wait();
  ticket = subject.plan.start_forward(subject.u, subject.v);
  EXPECT_THAT(message_thrown_by([&] { subject.plan.start_backward(subject.v, other).wait(); }),
              HasSubstr("the input is the output of a transform that is under way"));
  ticket.wait();
  EXPECT_EQ(subject.difference(), 0);
  subject.plan.forward(subject.u,
                       subject.v);  // all refused alike: nothing has begun, nothing broke
  EXPECT_EQ(subject.difference(), 0);
}

TEST(WrongUse, on_one_rank_is_an_error_on_all) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank cannot disagree";
  for (const char* exchange : {"p2p", "node", "alltoallv", "alltoallw"}) {
    Subject subject(in_chunks(exchange, std::string(exchange) == "alltoallw" ? 1 : 4));
    const bool is_wrong = rank_of_world() == ranks_of_world() - 1;
    const std::string message = message_thrown_by([&] {
      // The others start their collectives before they hear of the refusal.
      if (is_wrong) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (is_wrong)
        subject.plan.forward(subject.u.data(), subject.u.data());
      else
        subject.plan.forward(subject.u, subject.v);
    });
    EXPECT_THAT(message, is_wrong ? HasSubstr("the plan is not in place")
                                  : HasSubstr(fmt::format("rank {} refused to start run 2 of this "
                                                          "plan: input and output are the same",
                                                          ranks_of_world() - 1)))
        << exchange;
    never_free(subject.u, subject.v);
    EXPECT_THAT(message_thrown_by([&] { subject.plan.forward(subject.u, subject.v); }),
                testing::ContainsRegex("an earlier run of this plan failed on the way: .*input and "
                                       "output are the same array"));
  }
}

TEST(WrongUse, of_an_address_that_is_not_aligned_is_refused) {
  Subject subject(in_chunks("p2p", 2));
  const auto beside = [](std::complex<double>* array) {
    return reinterpret_cast<std::complex<double>*>(reinterpret_cast<std::byte*>(array) + 1);
  };
  EXPECT_THAT(
      message_thrown_by([&] { subject.plan.forward(beside(subject.u.data()), subject.v.data()); }),
      HasSubstr("the input begins 1 bytes after a multiple of the 8 bytes of its numbers"));
  EXPECT_THAT(
      message_thrown_by([&] { subject.plan.forward(subject.u.data(), beside(subject.v.data())); }),
      HasSubstr("the output begins 1 bytes after"));
  subject.plan.forward(subject.u, subject.v);
  EXPECT_EQ(subject.difference(), 0);
}

TEST(WrongUse, of_no_memory_on_one_rank_is_an_error_on_all) {
  for (const char* exchange : {"p2p", "node"}) {
    Subject subject(in_chunks(exchange, 2));
    const bool is_wrong = rank_of_world() == ranks_of_world() - 1;
    const std::string message = message_thrown_by(
        [&] { subject.plan.forward(subject.u.data(), is_wrong ? nullptr : subject.v.data()); });
    never_free(subject.u, subject.v);
    EXPECT_THAT(message, HasSubstr("the output is a null pointer, but this rank has")) << exchange;
    EXPECT_THAT(message,
                HasSubstr(is_wrong ? std::string("weft: the output")
                                   : fmt::format("rank {} refused", ranks_of_world() - 1)));
  }
}

TEST(WrongUse, forward_here_and_backward_there_is_an_error_on_all) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank cannot disagree";
  for (const char* exchange : {"p2p", "alltoallv", "node"}) {
    Subject subject(in_chunks(exchange, 2));
    auto back = subject.plan.make_input();
    const std::string message = message_thrown_by([&] {
      if (rank_of_world() == 0)
        subject.plan.start_forward(subject.u, subject.v).wait();
      else
        subject.plan.start_backward(subject.expected, back).wait();
    });
    EXPECT_THAT(message,
                HasSubstr("run 2 of this plan is forward on some ranks and backward on others"))
        << exchange;
    never_free(subject.u, subject.v, subject.expected, back);
  }
}
