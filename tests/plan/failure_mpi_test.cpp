// plan/failure: what fails on one rank alone is an error on all ranks, on other nodes, too.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <stdexcept>

#include "support/asked.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/base/ensure.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/run/delay.hpp"
#include "weft/run/scheduler.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::expect_error;
using test::never_free;
using test::of;
using test::planning_error;
using test::rank_of_world;
using test::ranks_of_world;

namespace {

Options on_pretended_nodes() {
  Options options;
  options.pretend.node_sizes = {2};
  options.exchange = "node";
  options.threads = 1;
  options.effort = Effort::estimate;
  return options;
}

// Allows this rank files of one page only while it lives: no memory can be shared.
class NoSharedMemory {
 public:
  explicit NoSharedMemory(bool here) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none = before_;
    if (here) none.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &none);
  }
  NoSharedMemory(const NoSharedMemory&) = delete;
  NoSharedMemory& operator=(const NoSharedMemory&) = delete;
  ~NoSharedMemory() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.message();
  }
  return "nothing was thrown";
}

}  // namespace

TEST(Failure, to_make_a_stand_in_on_one_rank_is_told_on_all_nodes) {
  if (ranks_of_world() < 2) GTEST_SKIP() << "one rank shares nothing";
  AnyPlan plan(MPI_COMM_WORLD, c2c({16, 16, 16}), on_pretended_nodes());
  std::vector<std::complex<double>> u(static_cast<std::size_t>(plan.input().elements + 1));
  std::vector<std::complex<double>> v(static_cast<std::size_t>(plan.output().elements + 1));
  const NoSharedMemory none(rank_of_world() == 1);
  expect_error(message_of([&] { plan.forward(u.data(), v.data()); }),
               rank_of_world() == 1
                   ? "cannot allocate"
                   : "rank 1 refused to start run 1 of this plan: cannot allocate");
  never_free(std::move(u), std::move(v));
}

// A rank may wait half a second for the vote on a run that fails, but not for each run under way.
TEST(Failure, of_many_runs_in_flight_is_told_at_once) {
  if (ranks_of_world() < 2) GTEST_SKIP() << "one rank shares nothing";
  constexpr int runs = 24;
  Options options;
  options.in_flight = runs;
  options.threads = 1;
  options.effort = Effort::estimate;
  options.strategy =
      fmt::format("fftw | from {0}x1x1 | fft 2,1 | shared to 1x{0}x1 | fft 0", ranks_of_world());
  AnyPlan plan(MPI_COMM_WORLD, c2c({16, 16, 16}), options);
  std::vector<std::vector<std::complex<double>>> from(runs), to(runs);
  for (int i = 0; i < runs; ++i) {
    from[static_cast<std::size_t>(i)].resize(static_cast<std::size_t>(plan.input().elements + 1));
    to[static_cast<std::size_t>(i)].resize(static_cast<std::size_t>(plan.output().elements + 1));
  }
  const NoSharedMemory none(rank_of_world() == 1);
  static int waits_for_votes = 0;
  late_hook = [](Late where) {
    if (where == Late::before_wait_for_vote) ++waits_for_votes;
  };
  const std::string message = message_of([&] {
    std::vector<Ticket> tickets;
    for (std::size_t i = 0; i < runs; ++i)
      tickets.push_back(plan.start_forward(from[i].data(), to[i].data()));
    for (Ticket& ticket : tickets) ticket.wait();
  });
  expect_error(message, rank_of_world() == 1
                            ? "cannot allocate"
                            : "rank 1 refused to start run 1 of this plan: cannot allocate");
  late_hook = nullptr;
  EXPECT_LE(waits_for_votes, 1);
  never_free(std::move(from), std::move(to));
}

namespace {

// Runs `first`, and `second`, in which the last rank fails; then `first` again, which is refused.
// Where this rank needs nothing from the last one, its part of the second run may well end. All
// ranks have ended the first run before one fails, as a failure also ends earlier runs.
template <class First, class Second>
void expect_told_on_all(const First& first, const Second& second, bool needs_last = true) {
  const int last = ranks_of_world() - 1;
  EXPECT_EQ(message_of(first), "nothing was thrown");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_of_world() == last)
    late_hook = [](Late where) {
      if (where == Late::before_item) throw std::runtime_error("the power is gone");
    };
  const auto message = [&]() -> std::string {
    try {
      second();
      return "nothing was thrown";
    } catch (const std::exception& error) {
      return error.what();
    }
  }();
  late_hook = nullptr;
  // MPI_Finalize waits for what is under way, and so do plans that measure.
  EXPECT_TRUE(Scheduler::of_process()->is_idle());
  Scheduler::of_process()->wait_for_all();
  if (needs_last || message != "nothing was thrown")
    expect_error(message, rank_of_world() == last
                              ? "the power is gone"
                              : fmt::format("rank {} failed: the power is gone", last));
  // Who has not been told before is told now.
  const std::string again = message_of(first);
  if (again.find("rank") == std::string::npos)
    expect_error(again, "an earlier run of this plan");
  else
    expect_error(again, fmt::format("rank {} failed: the power is gone", last));
}

void expect_plan_told_on_all(const Problem& problem, const Options& options) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const auto u = plan.allocate(plan.input().elements * 16);
  const auto v = plan.allocate(plan.output().elements * 16);
  never_free(u, v);
  expect_told_on_all([&] { plan.forward(u.get(), v.get()); },
                     [&] { plan.backward(v.get(), u.get()); });
}

}  // namespace

TEST(Failure, in_the_middle_of_a_run_is_told_on_all_nodes) {
  expect_plan_told_on_all(c2c({16, 16, 16}), on_pretended_nodes());
}

TEST(Failure, in_a_run_of_waves_is_told_on_all_nodes) {
  Problem ball = c2c({16, 16, 16});
  ball.cutoff = Cutoff::sphere(5);
  for (const char* exchange : {"node", "p2p"}) {
    Options options = on_pretended_nodes();
    options.exchange = exchange;
    expect_plan_told_on_all(ball, options);
  }
}

TEST(Failure, in_a_reshape_and_in_a_halo_is_told_on_all_nodes) {
  const int ranks = ranks_of_world(), last = ranks - 1;
  Reshape<double> reshape(MPI_COMM_WORLD, {24, 24, 3}, Distribution::slab,
                          {Distribution::brick, {1, ranks, 1}}, on_pretended_nodes());
  std::vector<double> from(static_cast<std::size_t>(reshape.from_elements() + 1)),
      to(static_cast<std::size_t>(reshape.to_elements() + 1));
  expect_told_on_all([&] { reshape.forward(from.data(), to.data()); },
                     [&] { reshape.backward(to.data(), from.data()); });
  Distribution slabs(Distribution::slab);
  slabs.storage = Storage::with_ghosts({1, 0}, {1, 0});
  Halo<double> halo(MPI_COMM_WORLD, {24, 5}, slabs, Periodic::all(), on_pretended_nodes());
  std::vector<double> u(static_cast<std::size_t>(halo.elements() + 1));
  const bool is_near = rank_of_world() >= last - 1 || rank_of_world() == 0;
  expect_told_on_all([&] { halo.start(u.data()).wait(); }, [&] { halo.start(u.data()).wait(); },
                     is_near);
  never_free(std::move(from), std::move(to), std::move(u));
}

// Ranks that learn from the vote that they disagree may free their arrays at once. A rank that is
// late must not look for them: the vote comes first.
TEST(Failure, of_a_run_with_other_scales_is_the_same_where_the_arrays_of_others_are_gone) {
  if (ranks_of_world() < 2) GTEST_SKIP() << "one rank cannot disagree";
  const int last = ranks_of_world() - 1;
  for (const char* exchange : {"shared", "node"}) {
    const auto run_of_new_arrays = [&] {
      test::Subject subject(test::in_chunks(exchange, exchange[0] == 'n' ? 2 : 1));
      auto u = subject.plan.make_input();
      auto v = subject.plan.make_output();
      // The last rank begins when the others have freed theirs, and lets MPI vote meanwhile.
      if (rank_of_world() == last)
        late_hook = [](Late) {
          late_hook = nullptr;
          for (int other = 0; other < ranks_of_world() - 1; ++other)
            MPI_Recv(nullptr, 0, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        };
      subject.plan.forward(u, v, rank_of_world() == 0 ? 2 : 3);
    };
    expect_error(message_of(run_of_new_arrays), "run 2 of this plan has different scales");
    if (rank_of_world() != last) MPI_Send(nullptr, 0, MPI_INT, last, 0, MPI_COMM_WORLD);
    late_hook = nullptr;
  }
}

TEST(Failure, of_a_placement_that_throws_what_is_no_exception_is_told_on_all_ranks) {
  Options options;
  options.placement = {0, [](const Dims&, const Dims&) -> int { throw 7; }};
  expect_error(planning_error(of({8, 8, 8}), options),
               "an exception was thrown that is not a std::");
  options.placement = {0, [](const Dims&, const Dims&) -> int { throw std::bad_alloc(); }};
  expect_error(planning_error(of({8, 8, 8}), options), "there is not enough memory");
}

TEST(Failure, of_a_placement_in_an_ensemble_is_told_on_all_ranks) {
  Options options;
  options.placement = {0, [](const Dims&, const Dims&) -> int { throw 7; }};
  expect_error(message_of([&] {
                 AnyEnsemble ensemble(MPI_COMM_WORLD, {of({8, 8, 8}), of({8, 8, 8})},
                                      EnsemblePolicy::automatic, options);
               }),
               "an exception was thrown that is not a std::");
}

TEST(Communicator, between_two_groups_is_refused_on_all_ranks) {
  if (ranks_of_world() < 2) GTEST_SKIP() << "one rank makes no two groups";
  const int group = rank_of_world() % 2;
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, group, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - group, 7, &between);
  expect_error(message_of([&] {
                 AnyPlan plan(between, c2c({8, 8}));
               }),
               "the communicator is an intercommunicator");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

TEST(Communicator, that_is_null_is_refused) {
  expect_error(message_of([&] {
                 AnyPlan plan(MPI_COMM_NULL, c2c({8, 8}));
               }),
               "the communicator is MPI_COMM_NULL");
}
