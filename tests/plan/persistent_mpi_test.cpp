// plan/persistent: persistent collectives are made once, started in each run and freed, and give
// the bits of alltoallv, though users' arrays are others in every run.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <vector>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/run/delay.hpp"
#include "weft/weft.hpp"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

using namespace weft;
using test::rank_of_world;
using test::ranks_of_world;

// ---- MPI's profiling interface: how often it is called.

namespace {
struct Calls {
  int made = 0, started = 0, freed = 0, not_persistent = 0;
};
Calls calls;
}  // namespace

extern "C" {
#if MPI_VERSION >= 4
int MPI_Alltoallv_init(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                       void* to, const int* received, const int* received_starts,
                       MPI_Datatype received_type, MPI_Comm comm, MPI_Info info,
                       MPI_Request* request) {
  ++calls.made;
  return PMPI_Alltoallv_init(from, sent, starts, type, to, received, received_starts, received_type,
                             comm, info, request);
}
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
int MPIX_Alltoallv_init(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                        void* to, const int* received, const int* received_starts,
                        MPI_Datatype received_type, MPI_Comm comm, MPI_Info info,
                        MPI_Request* request) {
  ++calls.made;
  return PMPIX_Alltoallv_init(from, sent, starts, type, to, received, received_starts,
                              received_type, comm, info, request);
}
#endif
int MPI_Start(MPI_Request* request) {
  ++calls.started;
  return PMPI_Start(request);
}
int MPI_Request_free(MPI_Request* request) {
  ++calls.freed;
  return PMPI_Request_free(request);
}
int MPI_Ialltoallv(const void* from, const int* sent, const int* starts, MPI_Datatype type,
                   void* to, const int* received, const int* received_starts,
                   MPI_Datatype received_type, MPI_Comm comm, MPI_Request* request) {
  ++calls.not_persistent;
  return PMPI_Ialltoallv(from, sent, starts, type, to, received, received_starts, received_type,
                         comm, request);
}
}

namespace {

using Complex = std::complex<double>;
using Array = std::vector<Complex>;

class Persistent : public testing::Test {
 protected:
  void SetUp() override {
    const Machine machine = machine_here(Communicator(MPI_COMM_WORLD), {});
    if (!machine.why_not_persistent.empty()) GTEST_SKIP() << machine.why_not_persistent;
  }
  void TearDown() override { late_hook = nullptr; }
};

Options by(const std::string& exchange, int chunks = 1, int in_flight = 1) {
  Options options = test::in_chunks(exchange, chunks, in_flight);
  options.cache_bytes = 2048;
  return options;
}

// Values of run `run`, which no other run has.
Array values(std::size_t size, int run) {
  Array array(size);
  for (std::size_t i = 0; i < size; ++i)
    array[i] = {std::sin(static_cast<double>(run + 1) * static_cast<double>(i + 1)),
                static_cast<double>(rank_of_world()) - std::cos(static_cast<double>(i * 7))};
  return array;
}

std::size_t size_of(const Field<Complex>& field) {
  return static_cast<std::size_t>(field.points().size());
}

// A rank that rests before its items.
void make_late(int which) {
  late_hook = nullptr;
  if (rank_of_world() != which) return;
  late_hook = [](Late where) {
    if (where == Late::before_item) usleep(2000);
  };
}

// Runs of both directions, each with arrays of its own, beside the same by alltoallv.
void expect_the_same_bits(const TypedProblem<Complex, Complex>& problem, int chunks) {
  Plan expected(MPI_COMM_WORLD, problem, by("alltoallv", chunks));
  Plan plan(MPI_COMM_WORLD, problem, by("persistent", chunks));
  const std::size_t in = size_of(plan.make_input()), out = size_of(plan.make_output());
  const std::size_t most = std::max(in, out) + 1;
  std::vector<Array> kept;  // so that no two runs have the same addresses
  for (int run = 0; run < 3; ++run) {
    make_late(run % ranks_of_world());
    Array u = values(most, run), v = problem.in_place ? u : Array(most);
    Array w = u, x = v;
    expected.forward(problem.in_place ? v.data() : u.data(), v.data());
    plan.forward(problem.in_place ? x.data() : w.data(), x.data());
    EXPECT_EQ(Array(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(out)),
              Array(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(out)))
        << "forward, run " << run << ", " << chunks << " chunks";
    Array back = problem.in_place ? v : Array(most), again = problem.in_place ? x : Array(most);
    expected.backward(problem.in_place ? back.data() : v.data(), back.data());
    plan.backward(problem.in_place ? again.data() : x.data(), again.data());
    EXPECT_EQ(Array(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(in)),
              Array(again.begin(), again.begin() + static_cast<std::ptrdiff_t>(in)))
        << "backward, run " << run << ", " << chunks << " chunks";
    for (Array* array : {&u, &v, &w, &x, &back, &again}) kept.push_back(std::move(*array));
  }
}

}  // namespace

// With few planes, some ranks have no points.
TEST_F(Persistent, arrays_may_be_others_in_every_run) {
  for (const Extents& extents : {Extents{12, 10, 9}, Extents{3, 5, 4}, Extents{2, 40}})
    for (const bool in_place : {false, true})
      for (const int chunks : {1, 3}) {
        SCOPED_TRACE(fmt::format("{} axes{}", extents.size(), in_place ? ", in place" : ""));
        auto problem = c2c(extents);
        problem.in_place = in_place;
        if (chunks == 1) problem.output = Distribution::same;
        expect_the_same_bits(problem, chunks);
      }
}

TEST_F(Persistent, collectives_are_made_once_and_freed_with_the_plan) {
  calls = {};
  {
    Plan plan(MPI_COMM_WORLD, c2c({12, 10, 9}), by("persistent", 2, 2));
    const int made = calls.made;
    EXPECT_EQ(made > 0, ranks_of_world() > 1);
    auto u = plan.make_input();
    auto v = plan.make_output();
    for (int run = 0; run < 5; ++run) {
      plan.forward(u, v);
      plan.backward(v, u);
    }
    EXPECT_EQ(calls.made, made);
    // Two transforms in flight, there and back, have as many each; ten runs start one of these
    // sets.
    EXPECT_EQ(4 * calls.started, 10 * made);
  }
  EXPECT_EQ(calls.not_persistent, 0);
  EXPECT_EQ(calls.freed, calls.made);
}

TEST_F(Persistent, transforms_may_be_in_flight_together) {
  constexpr int fields = 5;  // two more than may be in flight
  const auto problem = c2c({12, 10, 9});
  Plan plan(MPI_COMM_WORLD, problem, by("persistent", 2, 3));
  // The last bits of oneMKL differ between numbers of chunks, those of other engines do not.
  const int chunks = parse_strategy(plan.strategy()).engine == "mkl" ? 2 : 1;
  Plan expected(MPI_COMM_WORLD, problem, by("alltoallv", chunks));
  const std::size_t in = size_of(plan.make_input()) + 1, out = size_of(plan.make_output()) + 1;
  for (int round = 0; round < 3; ++round) {
    make_late(round % ranks_of_world());
    std::vector<Array> us, vs;
    std::vector<Ticket> tickets;
    for (int i = 0; i < fields; ++i) {
      us.push_back(values(in, 10 * round + i));
      vs.emplace_back(out);
    }
    for (std::size_t i = 0; i < fields; ++i)
      tickets.push_back(plan.start_forward(us[i].data(), vs[i].data()));
    for (std::size_t i = fields; i-- > 0;) tickets[i].wait();
    for (std::size_t i = 0; i < fields; ++i) {
      Array v(out);
      expected.forward(us[i].data(), v.data());
      EXPECT_EQ(v, vs[i]) << "field " << i << ", round " << round;
    }
  }
}

TEST_F(Persistent, and_shared_memory_may_be_in_one_plan) {
  const int ranks = ranks_of_world();
  const auto with = [&](const char* first, const char* second) {
    Options options = by("");
    options.strategy = fmt::format(
        "fftw | from {0}x1x1 | fft 2 | {1} to 1x{0}x1 | fft 0 | {2} to "
        "{0}x1x1 | fft 1",
        ranks, first, second);
    return options;
  };
  const auto problem = c2c({14, 14, 6});
  Plan expected(MPI_COMM_WORLD, problem, with("p2p", "p2p"));
  for (const auto& [first, second] :
       {std::pair("persistent", "node"), std::pair("node", "persistent")}) {
    Plan plan(MPI_COMM_WORLD, problem, with(first, second));
    auto u = plan.make_input();
    auto v = plan.make_output(), w = plan.make_output();
    for (int run = 0; run < 3; ++run) {
      for (auto [at, x] : u.points()) x = static_cast<double>(run + at[0] * 7 % 5 + at[1] * at[2]);
      expected.forward(u, v);
      plan.forward(u, w);
      EXPECT_EQ(max_abs_difference(v, w), 0) << first << ", " << second;
    }
  }
}
