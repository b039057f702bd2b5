// plan/late: results are right when a rank is late, in place as out of place, bit for bit.

#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>

#include "support/world.hpp"
#include "weft/run/delay.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::ranks_of_world;

namespace {

using Complex = std::complex<double>;

// A rank that is late rests before its items, all others never.
void rest(Late where) {
  if (where == Late::before_item) usleep(20000);
}

void make_late(int which) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  late_hook = rank == which ? rest : nullptr;
}

double sample(const Dims& at, int run) {
  return static_cast<double>(at[0] * 7 % 13 + run + at[1] * at[2] % 17);
}

Options with_strategy(const std::string& strategy) {
  Options options;
  options.threads = 1;
  options.effort = Effort::estimate;
  options.pretend.cache_bytes = 2048;
  options.strategy = strategy;
  return options;
}

TypedProblem<Complex, Complex> slabs_to_pencils(const Extents& extents, std::vector<int> axes) {
  auto problem = c2c(extents);
  problem.axes = std::move(axes);
  problem.input.form = Distribution::slab;
  problem.output.form = Distribution::pencil;
  problem.output.grid = {1, ranks_of_world()};
  return problem;
}

// In place and out of place, with every rank late once.
void expect_the_same_in_place(TypedProblem<Complex, Complex> problem, const std::string& strategy) {
  late_hook = nullptr;
  Plan apart(MPI_COMM_WORLD, problem, with_strategy(strategy));
  problem.in_place = true;
  Plan plan(MPI_COMM_WORLD, problem, with_strategy(strategy));
  auto u = apart.make_input();
  auto v = apart.make_output();
  auto w = plan.make_input();
  auto x = plan.output_in(w);
  for (int late = 0; late < ranks_of_world(); ++late) {
    for (auto [at, value] : u.points()) value = sample(at, late);
    for (auto [at, value] : w.points()) value = sample(at, late);
    late_hook = nullptr;
    apart.forward(u, v);
    make_late(late);
    plan.forward(w, x);
    EXPECT_EQ(max_abs_difference(v, x), 0) << "rank " << late << " is late";
    plan.backward(x, w);
    EXPECT_LT(max_abs_difference(u, w), 1e-12) << "rank " << late << " is late, backward";
  }
  late_hook = nullptr;
}

std::string on_ranks(const char* strategy) {
  return fmt::format(fmt::runtime(strategy), ranks_of_world());
}

}  // namespace

TEST(LateRanks, find_their_arrays_untouched_until_they_have_read_them) {
  expect_the_same_in_place(slabs_to_pencils({32, 24, 20}, {1, 2}),
                           on_ranks("fftw | from {0}x1x1 | fft 2 | fft 1 | shared to 1x{0}x1"));
  expect_the_same_in_place(slabs_to_pencils({32, 24, 20}, {1, 2}),
                           on_ranks("fftw | from {0}x1x1 | fft 2,1 | shared to 1x{0}x1"));
}

TEST(LateRanks, that_own_nothing_in_between_do_not_receive_early) {
  expect_the_same_in_place(
      slabs_to_pencils({24, 24, 20}, {1}),
      on_ranks("fftw | from {0}x1x1 | alltoallw to 1x1x1 | fft 1 | alltoallw to 1x{0}x1"));
}

// Ranks of pretended nodes store into each other's message buffers, in both directions in turn.
TEST(LateRanks, find_their_message_buffers_untouched_until_they_have_begun) {
  auto problem = c2c({16, 12, 20});
  problem.output.form = Distribution::same;
  Options options;
  options.threads = 1;
  options.effort = Effort::estimate;
  options.pretend.node_sizes = {2};
  options.exchange = "node";
  late_hook = nullptr;
  Plan plan(MPI_COMM_WORLD, problem, options);
  options.exchange = "alltoallw";
  options.pretend.node_sizes = {1};
  Plan reference(MPI_COMM_WORLD, problem, options);
  auto u = plan.make_input();
  auto v = plan.make_output();
  auto w = plan.make_input();
  auto wanted = reference.make_output();
  auto from = reference.make_input();
  for (int late = 0; late < ranks_of_world(); ++late) {
    for (auto [at, value] : u.points()) value = sample(at, late);
    for (auto [at, value] : from.points()) value = sample(at, late);
    late_hook = nullptr;
    reference.forward(from, wanted);
    make_late(late);
    plan.forward(u, v);
    EXPECT_LT(max_abs(v), 1e6);
    for (int run = 0; run < 2; ++run) {
      plan.backward(v, w);
      EXPECT_LT(max_abs_difference(u, w), 1e-12) << "rank " << late << " is late";
      plan.forward(w, v);
    }
  }
  late_hook = nullptr;
}

// The others free their arrays as soon as their own run has ended.
TEST(LateRanks, find_the_arrays_of_ranks_whose_run_has_ended) {
  for (const char* exchange : {"shared", "node"}) {
    Options options = with_strategy("");
    options.exchange = exchange;
    Plan plan(MPI_COMM_WORLD, c2c({16, 12, 20}), options);
    for (int late = 0; late < ranks_of_world(); ++late) {
      if (test::rank_of_world() == late)
        late_hook = [](Late where) {
          if (where == Late::after_signal) usleep(5000);
        };
      auto u = plan.make_input();
      auto v = plan.make_output();
      EXPECT_NO_THROW(plan.forward(u, v)) << exchange << ", rank " << late << " is late";
      late_hook = nullptr;
    }
  }
}
