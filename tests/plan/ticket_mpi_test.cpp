// run/ticket: transforms in flight: waited for in any order, dropped, refused, with callbacks, and
// used wrongly. The test counts every request that MPI is given and follows every communicator.

#include "weft/ticket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "weft/base/error.hpp"
#include "weft/exchange/persistence.hpp"
#include "weft/weft.hpp"

using namespace weft;
using testing::HasSubstr;

// ---- MPI's profiling interface: requests that have been made, less those that have completed;
// communicators and what they were made from, and how many were freed before one made from them.

namespace {
std::atomic<int> open_requests = 0;
std::map<MPI_Comm, MPI_Comm> made_from;
int freed_too_early = 0;
}  // namespace

extern "C" {
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  const int error = PMPI_Comm_dup(comm, copy);
  made_from[*copy] = comm;
  return error;
}
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
  const int error = PMPI_Comm_split(comm, colour, key, part);
  made_from[*part] = comm;
  return error;
}
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int* sources,
                                   const int* source_weights, int outdegree, const int* targets,
                                   const int* target_weights, MPI_Info info, int reorder,
                                   MPI_Comm* graph) {
  const int error =
      PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree, targets,
                                      target_weights, info, reorder, graph);
  made_from[*graph] = comm;
  return error;
}
int MPI_Comm_free(MPI_Comm* comm) {
  made_from.erase(*comm);
  for (auto& [made, from] : made_from) {
    if (from != *comm) continue;
    ++freed_too_early;
    from = MPI_COMM_NULL;  // the handle may come again
  }
  return PMPI_Comm_free(comm);
}
int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++open_requests;
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++open_requests;
  return PMPI_Irecv(data, count, type, peer, tag, comm, request);
}
int MPI_Iallreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  ++open_requests;
  return PMPI_Iallreduce(mine, all, count, type, op, comm, request);
}
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  ++open_requests;
  return PMPI_Ibcast(data, count, type, root, comm, request);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  ++open_requests;
  return PMPI_Ibarrier(comm, request);
}
int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  const auto open = std::count_if(requests, requests + count,
                                  [](MPI_Request one) { return one != MPI_REQUEST_NULL; });
  const int error = PMPI_Testall(count, requests, done, statuses);
  if (*done != 0) open_requests -= static_cast<int>(open);
  return error;
}
int MPI_Ialltoall(const void* from, int sent, MPI_Datatype type, void* to, int received,
                  MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  ++open_requests;
  return PMPI_Ialltoall(from, sent, type, to, received, received_type, comm, request);
}
int MPI_Ialltoallv(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                   void* to, const int* received, const int* received_starts,
                   MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  ++open_requests;
  return PMPI_Ialltoallv(from, sent, starts, type, to, received, received_starts, received_type,
                         comm, request);
}
int MPI_Ialltoallw(const void* from, const int* sent, const int* starts, const MPI_Datatype* types,
                   void* to, const int* received, const int* received_starts,
                   const MPI_Datatype* received_types, MPI_Comm comm, MPI_Request* request) {
  ++open_requests;
  return PMPI_Ialltoallw(from, sent, starts, types, to, received, received_starts, received_types,
                         comm, request);
}
int MPI_Ineighbor_alltoallv(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                            void* to, const int* received, const int* received_starts,
                            MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  ++open_requests;
  return PMPI_Ineighbor_alltoallv(from, sent, starts, type, to, received, received_starts,
                                  received_type, comm, request);
}
int MPI_Start(MPI_Request* request) {
  ++open_requests;
  return PMPI_Start(request);
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const bool is_open = *request != MPI_REQUEST_NULL;
  const int error = PMPI_Test(request, flag, status);
  if (is_open && *flag != 0) --open_requests;
  return error;
}
int MPI_Testsome(int count, MPI_Request* requests, int* done, int* places, MPI_Status* statuses) {
  const int error = PMPI_Testsome(count, requests, done, places, statuses);
  if (*done > 0) open_requests -= *done;
  return error;
}
int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* places, MPI_Status* statuses) {
  const int error = PMPI_Waitsome(count, requests, done, places, statuses);
  if (*done > 0) open_requests -= *done;
  return error;
}
}

namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

Options in_chunks(const std::string& exchange, int chunks, int in_flight = 1) {
  Options options;
  options.exchange = exchange;
  options.chunks = chunks;
  options.in_flight = in_flight;
  options.threads = 1;
  options.effort = Effort::estimate;
  return options;
}

using ComplexPlan = Plan<std::complex<double>, std::complex<double>>;

// A plan, a field that nobody else has, and the transform of it that a blocking run makes.
struct Subject {
  explicit Subject(const Options& options, double seed = 1, MPI_Comm comm = MPI_COMM_WORLD)
      : plan(comm, c2c({12, 10, 9}), options),
        u(plan.make_input()),
        v(plan.make_output()),
        expected(plan.make_output()) {
    for (auto [at, x] : u.points())
      x = {std::sin(seed * static_cast<double>(1 + at[0] * 7 + at[1])),
           std::cos(seed * static_cast<double>(at[2] - at[0]))};
    plan.forward(u, expected);
  }
  double difference() { return max_abs_difference(v, expected); }

  ComplexPlan plan;
  Field<std::complex<double>> u, v, expected;
};

template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class EveryKind : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("persistent") && !has_persistent_collectives())
      GTEST_SKIP() << "this MPI has no persistent collectives";
  }
};

}  // namespace

TEST_P(EveryKind, of_exchange_gives_the_same_bits_started_as_blocking) {
  for (int chunks : {1, 2, 4, 9}) {
    Subject subject(in_chunks(GetParam(), chunks));
    auto ticket = subject.plan.start_forward(subject.u, subject.v);
    while (!ticket.test()) {
    }
    EXPECT_EQ(subject.difference(), 0) << chunks << " chunks";
  }
  EXPECT_EQ(open_requests, 0);
}

TEST_P(EveryKind, of_exchange_lets_plans_be_started_in_different_orders_on_different_ranks) {
  Subject a(in_chunks(GetParam(), 4), 1), b(in_chunks(GetParam(), 3), 2);
  for (int round = 0; round < 5; ++round) {
    Ticket first, second;
    if ((world_rank() + round) % 2 == 0) {
      first = a.plan.start_forward(a.u, a.v);
      second = b.plan.start_forward(b.u, b.v);
      first.wait();
      second.wait();
    } else {
      second = b.plan.start_forward(b.u, b.v);
      first = a.plan.start_forward(a.u, a.v);
      second.wait();
      first.wait();
    }
    EXPECT_EQ(a.difference(), 0);
    EXPECT_EQ(b.difference(), 0);
  }
  EXPECT_EQ(open_requests, 0);
}

TEST_P(EveryKind, of_exchange_has_several_fields_of_a_plan_in_flight) {
  constexpr int fields = 5;  // two more than may be in flight: they wait for the first
  Subject subject(in_chunks(GetParam(), 2, 3));
  std::vector<Field<std::complex<double>>> outputs;
  std::vector<Ticket> tickets;
  for (int i = 0; i < fields; ++i) outputs.push_back(subject.plan.make_output());
  for (int i = 0; i < fields; ++i)
    tickets.push_back(subject.plan.start_forward(subject.u, outputs[static_cast<std::size_t>(i)]));
  for (int i = fields; i-- > 0;) tickets[static_cast<std::size_t>(i)].wait();
  for (auto& output : outputs) EXPECT_EQ(max_abs_difference(output, subject.expected), 0);
  EXPECT_EQ(open_requests, 0);
}

TEST_P(EveryKind, of_exchange_frees_its_communicators_before_the_one_they_were_made_from) {
  const Subject other(in_chunks("p2p", 2));  // has the duplicate that all plans share
  const std::size_t before = made_from.size();
  freed_too_early = 0;
  {
    Subject subject(in_chunks(GetParam(), 2, 2));
    EXPECT_GE(made_from.size(), before + 2);  // one for each in flight
  }
  EXPECT_EQ(freed_too_early, 0);
  EXPECT_EQ(made_from.size(), before);
}

INSTANTIATE_TEST_SUITE_P(Ticket, EveryKind,
                         testing::Values("p2p", "alltoallv", "alltoall", "alltoallw", "node",
                                         "persistent", "neighbors"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Ticket, of_nothing_has_ended) {
  Ticket ticket;
  EXPECT_TRUE(ticket.test());
  ticket.wait();
  bool called = false;
  ticket.then([&] { called = true; });
  EXPECT_TRUE(called);
}

TEST(Ticket, that_is_dropped_waits) {
  Subject subject(in_chunks("p2p", 4));
  { auto ticket = subject.plan.start_forward(subject.u, subject.v); }
  EXPECT_EQ(subject.difference(), 0);
  auto ticket = subject.plan.start_forward(subject.u, subject.v);
  ticket = Ticket();  // as good as dropped
  EXPECT_EQ(subject.difference(), 0);
  EXPECT_EQ(open_requests, 0);
}

TEST(Ticket, outlives_its_plan_which_waits_for_it) {
  Subject subject(in_chunks("p2p", 4));
  auto plan = std::make_unique<ComplexPlan>(MPI_COMM_WORLD, c2c({12, 10, 9}), in_chunks("p2p", 4));
  auto ticket = plan->start_forward(subject.u, subject.v);
  plan.reset();
  EXPECT_TRUE(ticket.test());
  EXPECT_EQ(subject.difference(), 0);
  EXPECT_EQ(open_requests, 0);
}

TEST(Ticket, does_not_mind_that_the_users_communicator_is_freed) {
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &mine);
  Subject subject(in_chunks("p2p", 4), 1, mine);
  auto ticket = subject.plan.start_forward(subject.u, subject.v);
  MPI_Comm_free(&mine);
  ticket.wait();
  EXPECT_EQ(subject.difference(), 0);
}

TEST(Plan, that_is_assigned_over_is_waited_for_and_freed) {
  Subject subject(in_chunks("p2p", 4));
  const std::size_t before = made_from.size();
  freed_too_early = 0;
  {
    ComplexPlan plan(MPI_COMM_WORLD, c2c({12, 10, 9}), in_chunks("p2p", 4));
    const std::size_t with_one_plan = made_from.size();
    auto ticket = plan.start_forward(subject.u, subject.v);
    plan = ComplexPlan(MPI_COMM_WORLD, c2c({12, 10, 9}), in_chunks("p2p", 4));
    EXPECT_TRUE(ticket.test());
    EXPECT_EQ(subject.difference(), 0);
    EXPECT_EQ(open_requests, 0);
    EXPECT_EQ(made_from.size(), with_one_plan);
    plan.forward(subject.u, subject.v);
    EXPECT_EQ(subject.difference(), 0);
  }
  EXPECT_EQ(made_from.size(), before);
  EXPECT_EQ(freed_too_early, 0);
}

TEST(Plan, that_was_moved_from_says_so) {
  ComplexPlan plan(MPI_COMM_WORLD, c2c({4, 4}));
  const ComplexPlan other(std::move(plan));
  EXPECT_EQ(other.input().extents, (Extents{4, 4}));
  try {
    plan.describe();  // NOLINT(bugprone-use-after-move)
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the plan has been moved from");
  }
}

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
  EXPECT_EQ(message_of([&] { moved.wait(); }), "too late");
  EXPECT_TRUE(moved.test());  // once
  Ticket none;
  none.then([] { throw std::runtime_error("of no transform"); });
  EXPECT_EQ(message_of([&] { none.test(); }), "of no transform");
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
  EXPECT_EQ(message_of([&] { first.wait(); }), "no room for the result");
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
  EXPECT_EQ(message_of([&] { first.wait(); }), "of the first");
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
  EXPECT_EQ(message_of([&] { ticket.wait(); }), "the first that throws");
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

TEST(WrongUse, of_an_output_that_overlaps_the_input_is_refused) {
  Subject subject(in_chunks("p2p", 4));
  const auto elements = static_cast<std::size_t>(
      std::max(subject.plan.input().elements, subject.plan.output().elements));
  std::vector<std::complex<double>> both(elements + 8);
  const auto message = [&](std::size_t from, std::size_t to) {
    return message_of([&] { subject.plan.forward(both.data() + from, both.data() + to); });
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
  EXPECT_THAT(message_of([&] { subject.plan.start_forward(subject.u, subject.v).wait(); }),
              HasSubstr("a transform that is under way works on the output"));
  ticket.wait();
  ticket = subject.plan.start_forward(subject.u, subject.v);
  EXPECT_THAT(message_of([&] { subject.plan.start_backward(subject.v, other).wait(); }),
              HasSubstr("the input is the output of a transform that is under way"));
  ticket.wait();
  EXPECT_EQ(subject.difference(), 0);
  subject.plan.forward(subject.u,
                       subject.v);  // all refused alike: nothing has begun, nothing broke
  EXPECT_EQ(subject.difference(), 0);
}

TEST(WrongUse, on_one_rank_is_an_error_on_all) {
  if (world_size() == 1) GTEST_SKIP() << "one rank cannot disagree";
  for (const char* exchange : {"p2p", "node", "alltoallv", "alltoallw"}) {
    Subject subject(in_chunks(exchange, std::string(exchange) == "alltoallw" ? 1 : 4));
    const bool is_wrong = world_rank() == world_size() - 1;
    const std::string message = message_of([&] {
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
                                                          world_size() - 1)))
        << exchange;
    EXPECT_THAT(message_of([&] { subject.plan.forward(subject.u, subject.v); }),
                HasSubstr("an earlier run of this plan failed"));
  }
}

TEST(WrongUse, of_no_memory_on_one_rank_is_an_error_on_all) {
  for (const char* exchange : {"p2p", "node"}) {
    Subject subject(in_chunks(exchange, 2));
    const bool is_wrong = world_rank() == world_size() - 1;
    const std::string message = message_of(
        [&] { subject.plan.forward(subject.u.data(), is_wrong ? nullptr : subject.v.data()); });
    EXPECT_THAT(message, HasSubstr("the output is a null pointer, but this rank has")) << exchange;
    EXPECT_THAT(message, HasSubstr(is_wrong ? std::string("weft: the output")
                                            : fmt::format("rank {} refused", world_size() - 1)));
  }
  open_requests = 0;  // those of broken plans are left to MPI
}

TEST(WrongUse, forward_here_and_backward_there_is_an_error_on_all) {
  if (world_size() == 1) GTEST_SKIP() << "one rank cannot disagree";
  for (const char* exchange : {"p2p", "alltoallv", "node"}) {
    Subject subject(in_chunks(exchange, 2));
    auto back = subject.plan.make_input();
    const std::string message = message_of([&] {
      if (world_rank() == 0)
        subject.plan.start_forward(subject.u, subject.v).wait();
      else
        subject.plan.start_backward(subject.expected, back).wait();
    });
    EXPECT_THAT(message,
                testing::AnyOf(HasSubstr("is forward on some ranks and backward on others"),
                               HasSubstr("failed")))
        << exchange;
  }
  open_requests = 0;  // those of broken plans are left to MPI
}
