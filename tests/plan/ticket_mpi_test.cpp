// run/ticket: transforms in flight: waited for in any order, and dropped. The test counts every
// request that MPI is given and follows every communicator.

#include "weft/ticket.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "support/asked.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/base/ensure.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::ComplexPlan;
using test::in_chunks;
using test::rank_of_world;
using test::Subject;

// ---- MPI's profiling interface: requests that have been made, less those that have completed;
// communicators and what they were made from, and how many were freed before one made from them.

namespace {
std::atomic<int> open_requests = 0;
std::map<MPI_Comm, MPI_Comm> made_from;
int freed_too_early = 0;
}  // namespace

extern "C" {
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* copy) {
  const int error = PMPI_Comm_dup_with_info(comm, info, copy);
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

class EveryKind : public testing::TestWithParam<const char*> {};

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
    if ((rank_of_world() + round) % 2 == 0) {
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
                         testing::Values("p2p", "alltoallv", "alltoall", "alltoallw", "node"),
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
    plan.describe(Detail::all);  // NOLINT(bugprone-use-after-move)
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the plan has been moved from");
  }
}
