// plan/grouped: plans on late devices whose messages go in groups of NCCL compute what they compute
// otherwise; what NCCL reports on one rank is an error on all.

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/late_nccl_here.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using test::AskedRoute;
using test::LateNcclHere;
using test::never_free;
using test::rank_of_world;
using test::ranks_of_world;
using test::Subject;
using testing::HasSubstr;

// Late devices of a rank, others than those of all other ranks, in place of those of the process.
LateDriver& own_devices() {
  static LateDriver driver = [] {
    LateDriver::Settings settings;
    settings.seed = static_cast<unsigned>(rank_of_world());
    settings.lateness = rank_of_world() % 2 == 0 ? Lateness::random : Lateness::laziest;
    settings.devices = 4;
    settings.domain = 1 + rank_of_world();
    return LateDriver(settings);
  }();
  return driver;
}

class Grouped : public testing::Test {
 protected:
  void SetUp() override {
    if (ranks_of_world() == 1) GTEST_SKIP() << "one rank sends no messages";
    before_ = find_driver("late");
    DriverEntry entry = before_;
    entry.get = []() -> DeviceDriver& { return own_devices(); };
    pretend_driver(entry);
  }
  void TearDown() override {
    if (!before_.name.empty()) pretend_driver(before_);
  }

 private:
  DriverEntry before_{};
  LateNcclHere nccl_{own_devices()};
  AskedRoute asked_{"nccl"};
};

// On pretended nodes of so many ranks.
Options on_device(int node_size, const std::string& exchange) {
  Options options = test::quick();
  options.engine = "late";
  options.pretend.node_sizes = {node_size};
  options.exchange = exchange;
  return options;
}

// Forward and backward, in every cell a direct sum.
void expect_right(const Problem& problem, const Options& options) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_THAT(plan.describe(Detail::all), HasSubstr("from device to device by NCCL 2.28.3"));
  const auto failure = test::check_plan(plan, test::known_reference(validated(problem), 7));
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

}  // namespace

TEST_F(Grouped, messages_of_every_exchange_arrive) {
  struct Case {
    std::string exchange;
    int node_size;
  };
  for (const auto& [exchange, node_size] : {Case{"p2p", 1},
                                            {"node", 1},
                                            {"node", 2},
                                            {"alltoallv", 1},
                                            {"alltoall", 2},
                                            {"alltoallw", 1}}) {
    Options options = on_device(node_size, exchange);
    options.chunks = node_size == 1 ? 3 : 1;
    Problem problem = test::of({7, 6, 10});
    problem.in_place = node_size == 2;
    problem.output.form = node_size == 1 ? Distribution::same : Distribution::free;
    const int before = late_nccl_groups();
    expect_right(problem, options);
    // Two to make the plan, and one to connect each direction.
    const bool has_groups = late_nccl_groups() > before + 4;
    const bool sends = exchange != "node" || ranks_of_world() > node_size;
    EXPECT_EQ(has_groups, sends && exchange != "alltoallw") << exchange << " " << node_size;
  }
}

TEST_F(Grouped, runs_copy_nothing_for_their_messages) {
  Options options = on_device(1, "p2p");
  Plan plan(MPI_COMM_WORLD, c2c({8, 9, 10}), options);
  auto u = plan.make_input(Memory::device), v = plan.make_output(Memory::device);
  plan.forward(u, v);
  EXPECT_EQ(plan.report().forward.copied_bytes, 0);
}

TEST_F(Grouped, transforms_in_flight_start_their_groups_in_turn) {
  Options options = on_device(1, "p2p");
  options.in_flight = 3;
  options.chunks = 2;
  Subject subject(options);
  std::vector<Ticket> tickets;
  std::vector<decltype(subject.u)> sources;
  std::vector<decltype(subject.v)> results;
  for (int run = 0; run < 12; ++run) {
    sources.push_back(subject.plan.make_input());
    copy(subject.u, sources.back());
    for (auto [at, x] : sources.back().points()) x *= std::ldexp(1.0, run);
    results.push_back(subject.plan.make_output());
  }
  for (std::size_t run = 0; run < results.size(); ++run)
    tickets.push_back(subject.plan.start_forward(sources[run], results[run]));
  for (std::size_t run = 0; run < results.size(); ++run) {
    tickets[run].wait();
    for (auto [at, x] : results[run].points()) x *= std::ldexp(1.0, -static_cast<int>(run));
    EXPECT_EQ(max_abs_difference(results[run], subject.expected), 0) << run;
  }
}

// Both take and free memory of the device, which waits for what the device does, groups included.
TEST_F(Grouped, plans_are_made_and_destroyed_while_groups_are_under_way) {
  Options options = on_device(1, "p2p");
  options.chunks = 3;
  Subject subject(options);
  const auto started = [&] {
    Ticket ticket = subject.plan.start_forward(subject.u, subject.v);
    for (const int before = late_nccl_groups(); late_nccl_groups() == before;) ticket.test();
    return ticket;
  };
  const auto expect_right = [&](Ticket ticket) {
    MPI_Barrier(MPI_COMM_WORLD);
    ticket.wait();
    EXPECT_EQ(subject.difference(), 0);
  };
  Plan plan(MPI_COMM_WORLD, c2c({7, 6, 5}), options);
  for (int time = 0; time < 3; ++time) {
    Ticket first = started();
    Plan other(MPI_COMM_WORLD, c2c({7, 6, 5}), options);
    expect_right(std::move(first));
    Ticket second = started();
    plan = std::move(other);  // which ends the one before
    expect_right(std::move(second));
    // Whose messages begin while the plan is made, on some ranks earlier than on others.
    Ticket third = subject.plan.start_forward(subject.u, subject.v);
    other = Plan(MPI_COMM_WORLD, c2c({7, 6, 5}), options);
    expect_right(std::move(third));
  }
}

// Started in different orders, which is allowed: one of them has groups on some ranks only, so that
// neither has.
TEST_F(Grouped, runs_of_two_plans_do_not_wait_for_each_other) {
  Subject one(on_device(1, "p2p"), 1), two(on_device(1, "alltoallv"), 2);
  for (int time = 0; time < 3; ++time) {
    const bool is_first = rank_of_world() % 2 == 0 || time == 2;
    const int before = late_nccl_groups();
    std::vector<Ticket> tickets;
    for (Subject* const subject : is_first ? std::vector{&one, &two} : std::vector{&two, &one})
      tickets.push_back(subject->plan.start_forward(subject->u, subject->v));
    for (Ticket& ticket : tickets) ticket.wait();
    EXPECT_EQ(one.difference(), 0);
    EXPECT_EQ(two.difference(), 0);
    if (time < 2)
      EXPECT_EQ(late_nccl_groups(), before);
    else
      EXPECT_GT(late_nccl_groups(), before) << "the first has";
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_F(Grouped, what_is_lost_is_noticed) {
  const int before = late_nccl_groups();
  Subject subject(on_device(1, "p2p"));
  for (auto [at, x] : subject.u.points()) x *= 2;
  late_nccl_faults().group_that_is_lost = late_nccl_groups() - before;  // the next one
  subject.plan.forward(subject.u, subject.v);
  subject.plan.forward(subject.u, subject.expected);
  EXPECT_GT(subject.difference(), 1);
}

TEST_F(Grouped, errors_of_NCCL_end_the_runs_of_all_ranks) {
  for (int* const fault :
       {&late_nccl_faults().fails_in_group, &late_nccl_faults().breaks_in_group}) {
    late_nccl_faults() = {};
    Options options = on_device(1, "p2p");
    options.in_flight = 2;
    auto& subject = *new Subject(options);  // MPI may still use it
    auto w = subject.plan.make_output();
    never_free(w);
    *fault = ranks_of_world() - 1;
    const std::string message = test::message_thrown_by([&] {
      Ticket first = subject.plan.start_forward(subject.u, subject.v);
      Ticket second = subject.plan.start_forward(subject.u, w);
      try {
        first.wait();
      } catch (const Error&) {
        EXPECT_THAT(test::message_thrown_by([&] { second.wait(); }), HasSubstr("remote process"));
        throw;
      }
    });
    const std::string why = "fails: remote process exited or there was a network error";
    EXPECT_THAT(message, HasSubstr(why));
    if (rank_of_world() < ranks_of_world() - 1) {
      EXPECT_THAT(message,
                  HasSubstr("rank " + std::to_string(ranks_of_world() - 1) + " failed: NCCL"));
    }
    EXPECT_THAT(test::message_thrown_by([&] { subject.plan.forward(subject.u, subject.v); }),
                HasSubstr("an earlier run of this plan"));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace weft
