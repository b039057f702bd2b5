// plan/alone: a plan of a process alone needs no MPI; results against direct sums.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/check_plan.hpp"
#include "support/engine_here.hpp"
#include "support/random_problem.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

bool mpi_is_initialised() {
  int is = 0;
  MPI_Initialized(&is);
  return is != 0;
}

// Every tenth problem is measured, and every third has a thread that makes progress.
RandomCase random_case_alone(std::uint64_t seed) {
  RandomCase random = random_case(seed, 1);
  random.options.exchange = "";
  random.options.effort = seed % 10 == 0 ? Effort::measure : Effort::estimate;
  random.options.progress = seed % 3 == 0 ? Progress::by_thread : Progress::by_tiles;
  return random;
}

}  // namespace

TEST(Alone, random_problems_agree_with_direct_sums) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomCase random = random_case_alone(seed);
    const Reference reference(validated(random.problem), seed);
    AnyPlan plan(random.problem, random.options);
    for (const Arrays arrays : {Arrays::of_weft, Arrays::any})
      EXPECT_EQ(check_plan(plan, reference, nullptr, arrays).value_or("right"), "right")
          << "seed " << seed << "\n"
          << plan.describe(Detail::all);
  }
  EXPECT_FALSE(mpi_is_initialised());
}

TEST(Alone, several_in_flight_call_back) {
  Options options;
  options.in_flight = 3;
  Plan plan(c2c({16, 15, 14}), options);
  EXPECT_EQ(plan.rank(), 0);
  EXPECT_EQ(plan.comm(), MPI_COMM_NULL);
  std::vector<Field<std::complex<double>>> u, v;
  for (int i = 0; i < 3; ++i) {
    u.push_back(plan.make_input());
    v.push_back(plan.make_output());
    u.back().data()[0] = 1.0 + i;
  }
  int called = 0;
  std::vector<Ticket> tickets;
  for (std::size_t i = 0; i < 3; ++i) {
    tickets.push_back(plan.start_forward(u[i], v[i]));
    tickets.back().then([&] { ++called; });
  }
  for (Ticket& ticket : tickets) ticket.wait();
  EXPECT_EQ(called, 3);
  for (std::size_t i = 0; i < 3; ++i)  // a point at the origin has a constant spectrum
    for (const auto& x : std::vector(v[i].data(), v[i].data() + v[i].size()))
      ASSERT_EQ(x, std::complex<double>(1.0 + static_cast<double>(i)));
  EXPECT_EQ(max_abs_difference(v[0], v[1]), 1);
}

TEST(Alone, threads_have_plans_of_their_own) {
  std::vector<std::string> told(4);
  std::vector<std::thread> team;
  for (std::uint64_t i = 0; i < 4; ++i)
    team.emplace_back([&told, i] {
      told[i] = message_of([&] {
        for (std::uint64_t seed = 100 * i; seed < 100 * i + 10; ++seed) {
          const RandomCase random = random_case_alone(seed);
          const Reference reference(validated(random.problem), seed);
          AnyPlan plan(random.problem, random.options);
          if (const auto failure = check_plan(plan, reference)) throw Error(Error::bug, *failure);
        }
      });
    });
  for (std::thread& thread : team) thread.join();
  for (const std::string& one : told) EXPECT_EQ(one, "no error");
}

TEST(Alone, tickets_and_plans_end_in_any_order) {
  for (const Progress by : {Progress::by_calls, Progress::by_tiles, Progress::by_thread}) {
    Options options;
    options.progress = by;
    const auto problem = c2c({64, 64, 4});
    std::vector<std::complex<double>> u(64 * 64 * 4), v(u.size()), w(u.size());
    u[0] = 1;
    Ticket outlives;
    {
      Plan plan(problem, options);
      outlives = plan.start_forward(u.data(), v.data());
    }  // waits for the run
    EXPECT_TRUE(outlives.test());
    EXPECT_EQ(v.back(), 1.0);
    // A callback that runs another plan's transform, and drops its own ticket and plan.
    auto plan = std::make_unique<AnyPlan>(problem, options);
    auto ticket = std::make_unique<Ticket>(plan->start_forward(u.data(), v.data()));
    ticket->then([&] {
      Plan other(problem, options);
      other.forward(v.data(), w.data());
      ticket.reset();
      plan.reset();
    });
    while (ticket) ticket->test();
    EXPECT_EQ(w[0], 64.0 * 64 * 4);
  }
}

TEST(Alone, what_needs_mpi_says_so) {
  Options options;
  options.strategy = "fftw | from 1x1x1 | fft 2,1 | alltoallv to 1x1x1 | fft 0";
  EXPECT_EQ(message_of([&] {
              AnyPlan(c2c({8, 8, 8}), options);
            }),
            "the exchange alltoallv calls MPI, and this plan is of a process alone");
  options.strategy = "fftw | from 1x1x1 | fft 2,1 | p2p to 1x1x1 | fft 0";
  AnyPlan plan(c2c({8, 8, 8}), options);
  std::vector<std::complex<double>> u(512, 1), v(512);
  plan.forward(u.data(), v.data());
  EXPECT_EQ(v[0], 512.0);
  EXPECT_EQ(message_of([&] { AnyPlan(MPI_COMM_WORLD, c2c({8, 8, 8})); }), "MPI is not running");
}

TEST(Alone, a_forked_child_is_refused) {
  AnyPlan plan(c2c({8, 8, 8}));
  const std::string why = "this process is a forked child of one that uses weft";
  std::vector<std::complex<double>> u(512, 1), v(512);
  Ticket ticket = plan.start_forward(u.data(), v.data());
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<std::string> told{
        message_of([&] { plan.forward(u.data(), v.data()); }),
        message_of([&] {
          AnyPlan(c2c({8, 8, 8}));
        }),
        message_of([&] {
          AnyPlan(MPI_COMM_WORLD, c2c({8, 8, 8}));
        }),
        message_of([&] { ticket.wait(); }),
    };
    ticket = Ticket();  // waits for nothing
    _exit(told == std::vector(4, why) ? 0 : 1);
  }
  ticket.wait();
  EXPECT_EQ(v[0], 512.0);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// A thread that waits for a plan of its process alone may be one that may not call MPI.
TEST(Alone, other_plans_are_not_taken_further) {
  Options options;
  options.progress = Progress::by_calls;
  Plan one(c2c({12, 10}), options), other(c2c({12, 10}), options);
  auto u = one.make_input(), x = other.make_input();
  auto v = one.make_output(), y = other.make_output();
  Ticket ticket = one.start_forward(u, v);
  other.forward(x, y);
  progress();
  EXPECT_EQ(one.report().forward.stages.at(0).seconds, 0);
  ticket.wait();
  EXPECT_GT(one.report().forward.stages.at(0).seconds, 0);
}

// The last one, as MPI cannot be started twice.
TEST(Alone, a_plan_outlives_mpi_and_works_beside_it) {
  Plan before(c2c({12, 10}));
  auto u = before.make_input();
  auto v = before.make_output();
  u.data()[0] = 1;
  MPI_Init(nullptr, nullptr);
  Plan beside(c2c({12, 10}));
  Options by_calls;
  by_calls.progress = Progress::by_calls;
  Plan of_mpi(MPI_COMM_SELF, c2c({12, 10}), by_calls);
  before.forward(u, v);
  EXPECT_EQ(v.data()[119], 1.0);
  auto w = of_mpi.make_output();
  const auto x = of_mpi.make_input();
  Ticket ticket = of_mpi.start_forward(x, w);
  std::thread([&] { before.forward(u, v); }).join();
  EXPECT_EQ(of_mpi.report().forward.stages.at(0).seconds, 0);
  MPI_Finalize();
  EXPECT_GT(of_mpi.report().forward.stages.at(0).seconds, 0);
  v.data()[119] = 0;
  beside.forward(u.data(), v.data());
  EXPECT_EQ(v.data()[119], 1.0);
  Plan after(c2c({12, 10}));
  after.forward(u.data(), v.data());
  EXPECT_EQ(v.data()[0], 1.0);
}

// Fields of a batch that exceed the cache of a core, in a pass over all their axes, are transformed
// in slabs.
TEST(Alone, fields_in_slabs_agree_with_direct_sums) {
  for (const char* engine : {"weft", "fftw"}) {
    if (!has_engine(engine)) continue;
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision})
        for (const Extents& modes : {Extents{}, Extents{10, 9, 8}}) {
          Problem problem;
          problem.extents = {17, 12, 20};
          problem.batch = 9;
          problem.kind = kind;
          problem.precision = precision;
          problem.modes = modes;
          Options options;
          options.effort = Effort::estimate;
          options.threads = 2;
          options.pretend.cache_bytes = 8192;
          options.strategy = fmt::format("{} | from 1x1x1x1 | fft 3,2,1", engine);
          AnyPlan plan(problem, options);
          const auto failure = check_plan(plan, known_reference(validated(problem), 5));
          EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
        }
  }
}
