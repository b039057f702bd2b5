// faces/shared_plan: what is found again, by whom, and until when; on all ranks alike.

#include "weft/shared_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/problem/validated.hpp"
#include "weft/run/delay.hpp"
#include "weft/run/scheduler.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

namespace {

constexpr int most_kept = 16;

// A communicator of all ranks, which keeps no plans yet.
class OwnComm {
 public:
  OwnComm() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  ~OwnComm() { free(); }

  operator MPI_Comm() const { return comm_; }  // NOLINT: is one
  void free() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

Problem cube(int points) { return of({points, points, points}); }

// Slabs that the ranks have in their order, or in the order that begins with rank 0 and turns that
// of the others.
Problem own_slabs(bool is_turned) {
  const int ranks = ranks_of_world(), rank = rank_of_world();
  const std::int64_t piece = is_turned && rank > 0 ? ranks - rank : rank, n = 2 * ranks;
  Problem problem = of({n, 6, 5});
  problem.input = Distribution::of_my_boxes({Box{{2 * piece, 0, 0}, {2 * piece + 2, 6, 5}}});
  return problem;
}

void expect_right(AnyPlan& plan) {
  const auto failure = check_plan(plan, known_reference(plan.problem(), 7));
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

}  // namespace

TEST(SharedPlan, is_found_again_for_the_same_problem_and_options) {
  const OwnComm comm;
  const auto plan = shared_plan(comm, cube(12), quick());
  EXPECT_EQ(shared_plan(comm, cube(12), quick()), plan);
  expect_right(*plan);
  EXPECT_NE(shared_plan(comm, cube(11), quick()), plan);
  Options chunks = quick();
  chunks.chunks = 2;
  const auto in_chunks = shared_plan(comm, cube(12), chunks);
  EXPECT_NE(in_chunks, plan);
  Problem ortho = cube(12);
  ortho.norm = Norm::ortho;
  EXPECT_NE(shared_plan(comm, ortho, quick()), plan);
  EXPECT_EQ(shared_plan(comm, cube(12), chunks), in_chunks);
  EXPECT_EQ(shared_plan(comm, cube(12), quick()), plan);
  Options nodes = quick();
  nodes.pretend.node_sizes = {1};
  EXPECT_NE(shared_plan(comm, cube(12), nodes), plan);
}

TEST(SharedPlan, is_of_one_communicator) {
  const OwnComm first, second;
  const auto plan = shared_plan(first, cube(12), quick());
  EXPECT_NE(shared_plan(second, cube(12), quick()), plan);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(first, &copy);
  EXPECT_NE(shared_plan(copy, cube(12), quick()), plan);
  MPI_Comm_free(&copy);
  EXPECT_EQ(shared_plan(first, cube(12), quick()), plan);
}

// Rank 0 passes the same both times, and has to find out which plan the others ask for.
TEST(SharedPlan, is_found_where_only_other_ranks_pass_something_else) {
  if (ranks_of_world() < 3) GTEST_SKIP() << "two ranks cannot turn their order behind rank 0";
  const OwnComm comm;
  const auto in_order = shared_plan(comm, own_slabs(false), quick());
  const auto turned = shared_plan(comm, own_slabs(true), quick());
  EXPECT_NE(turned, in_order);
  EXPECT_EQ(shared_plan(comm, own_slabs(false), quick()), in_order);
  EXPECT_EQ(shared_plan(comm, own_slabs(true), quick()), turned);
  expect_right(*in_order);
  expect_right(*turned);
}

TEST(SharedPlan, that_only_some_ranks_ask_for_is_an_error_on_all) {
  if (ranks_of_world() < 2) GTEST_SKIP() << "one rank cannot disagree";
  const OwnComm comm;
  const auto first = shared_plan(comm, cube(12), quick()),
             second = shared_plan(comm, cube(11), quick());
  const auto ask = [&](const Problem& of_rank_0, const Problem& of_others) {
    return message_thrown_by(
        [&] { shared_plan(comm, rank_of_world() == 0 ? of_rank_0 : of_others, quick()); });
  };
  EXPECT_THAT(ask(cube(12), cube(10)), HasSubstr("ranks disagree on the problem"));
  EXPECT_THAT(ask(cube(12), cube(11)), HasSubstr("ranks disagree on the problem"));
  EXPECT_EQ(shared_plan(comm, cube(12), quick()), first);
  EXPECT_EQ(shared_plan(comm, cube(11), quick()), second);
}

TEST(SharedPlan, that_cannot_be_made_is_an_error_each_time) {
  const OwnComm comm;
  Options wrong = quick();
  wrong.chunks = -1;
  for (int time = 0; time < 2; ++time)
    EXPECT_THAT(message_thrown_by([&] { shared_plan(comm, cube(12), wrong); }),
                HasSubstr("chunks"));
  EXPECT_THAT(message_thrown_by([] { shared_plan(MPI_COMM_NULL, cube(12)); }),
              HasSubstr("the communicator is MPI_COMM_NULL"));
}

TEST(SharedPlan, makes_room_for_others_when_it_was_not_used_for_longest) {
  const OwnComm comm;
  const auto held = shared_plan(comm, cube(2), quick());
  std::weak_ptr<AnyPlan> first = shared_plan(comm, cube(3), quick());
  const std::weak_ptr<AnyPlan> second = shared_plan(comm, cube(4), quick());
  for (int points = 5; points < 3 + most_kept - 1; ++points)
    shared_plan(comm, cube(points), quick());
  EXPECT_FALSE(first.expired());
  EXPECT_EQ(shared_plan(comm, cube(3), quick()), first.lock());
  shared_plan(comm, cube(30), quick());  // takes the place of what is held, and is the first
  shared_plan(comm, cube(31), quick());
  EXPECT_TRUE(second.expired());
  EXPECT_FALSE(first.expired());
  expect_right(*held);
  EXPECT_NE(shared_plan(comm, cube(2), quick()), held);
}

TEST(SharedPlan, with_a_placement_is_made_each_time) {
  const OwnComm comm;
  Options placed = quick();
  placed.placement = {0, [](const Dims& grid, const Dims& piece) {
                        return static_cast<int>(ProcessGrid{grid}.piece(piece));
                      }};
  std::weak_ptr<AnyPlan> last;
  for (int time = 0; time < 2; ++time) {
    EXPECT_TRUE(last.expired());
    const auto plan = shared_plan(comm, cube(6), placed);
    expect_right(*plan);
    last = plan;
  }
}

TEST(SharedPlan, lives_until_the_communicator_is_freed_and_nobody_holds_it) {
  OwnComm comm;
  const std::weak_ptr<AnyPlan> kept = shared_plan(comm, cube(8), quick());
  const auto held = shared_plan(comm, cube(9), quick());
  EXPECT_FALSE(kept.expired());
  comm.free();
  EXPECT_TRUE(kept.expired());
  expect_right(*held);
}

TEST(SharedPlan, is_run_by_all_who_hold_it) {
  const OwnComm comm;
  Options two = quick();
  two.in_flight = 2;
  const auto here = shared_plan(comm, cube(12), two), there = shared_plan(comm, cube(12), two);
  using Numbers = std::vector<std::complex<double>>;
  const auto elements = [](const Share& side) {
    return static_cast<std::size_t>(side.elements + 1);
  };
  const Numbers u(elements(here->input()), 1), w(elements(here->input()), 2);
  Numbers v(elements(here->output())), x(elements(here->output()));
  Ticket first = here->start_forward(std::span(u), std::span(v));
  Ticket second = there->start_forward(std::span(w), std::span(x));
  second.wait();
  first.wait();
  for (std::size_t i = 0; i + 1 < v.size(); ++i) EXPECT_EQ(2.0 * v[i], x[i]);
  EXPECT_EQ(here->report().forward.runs, 2);
}

// Other ranks may not know yet that it has failed.
TEST(SharedPlan, of_which_a_run_has_failed_is_not_found_again) {
  const OwnComm comm;
  const auto plan = shared_plan(comm, cube(12), quick());
  const auto u = plan->allocate(plan->input().elements * 16);
  const auto v = plan->allocate(plan->output().elements * 16);
  never_free(u, v);
  if (rank_of_world() == ranks_of_world() - 1)
    late_hook = [](Late where) {
      if (where == Late::before_item) throw std::runtime_error("the power is gone");
    };
  message_thrown_by([&] { plan->forward(u.get(), v.get()); });
  late_hook = nullptr;
  Scheduler::of_process()->wait_for_all();
  const auto other = shared_plan(comm, cube(12), quick());
  EXPECT_NE(other, plan);
  expect_right(*other);
  EXPECT_EQ(shared_plan(comm, cube(12), quick()), other);
}

// There is never so much memory, but what is kept is in nobody's way.
TEST(SharedPlan, is_let_go_where_another_one_needs_too_much_memory) {
  const OwnComm comm;
  const std::weak_ptr<AnyPlan> kept = shared_plan(comm, cube(12), quick());
  Problem large = cube(1 << 16);
  const std::string message = message_thrown_by([&] { shared_plan(comm, large, quick()); });
  EXPECT_THAT(message, HasSubstr("memory"));
  EXPECT_TRUE(kept.expired());
}
