// plan/threads: how many there are, and that results do not depend on it.

#include <gtest/gtest.h>
#include <omp.h>

#include "support/check_plan.hpp"
#include "support/file_tree.hpp"
#include "support/world.hpp"
#include "weft/comm/cores.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/compute/send_countdown.hpp"
#include "weft/compute/sweep.hpp"
#include "weft/making/sweep_items.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// The bytes of the result; empty after a failure.
std::vector<std::byte> bits_with(const Problem& problem, Options options, int threads,
                                 const Reference& reference) {
  options.threads = threads;
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_EQ(plan.threads(), threads);
  std::vector<std::byte> bits;
  for (int run = 0; run < 2; ++run) {
    std::vector<std::byte> again;
    const auto failure = check_plan(plan, reference, &again);
    EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
    if (run == 0) bits = again;
    EXPECT_EQ(bits, again) << "run " << run;
  }
  return bits;
}

}  // namespace

// With the true size of the cache, a thread would have one tile.
TEST(Threads, change_no_bit_of_the_result) {
  for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (bool in_place : {false, true})
      for (const char* exchange : {"p2p", "alltoallv"})
        for (Distribution::Form output : {Distribution::free, Distribution::same}) {
          Problem problem;
          problem.extents = {24, 20, 18};
          problem.kind = kind;
          problem.in_place = in_place;
          problem.output.form = output;
          Options options;
          options.exchange = exchange;
          options.effort = Effort::estimate;
          options.pretend.cache_bytes = 8192;
          const Reference& reference = known_reference(validated(problem), 7);
          const auto bits = bits_with(problem, options, 1, reference);
          for (int threads : {2, 3})
            EXPECT_EQ(bits, bits_with(problem, options, threads, reference))
                << to_string(problem) << " " << exchange << ", " << threads << " threads";
        }
}

TEST(Threads, of_a_split_line_change_no_bit_either) {
  Problem problem;
  problem.extents = {1 << 11};
  Options options;
  options.effort = Effort::estimate;
  options.pretend.cache_bytes = 8192;
  const Reference& reference = known_reference(validated(problem), 7);
  EXPECT_EQ(bits_with(problem, options, 1, reference), bits_with(problem, options, 3, reference));
}

TEST(Threads, are_as_many_as_there_are_cores_for) {
  const Communicator world(MPI_COMM_WORLD);
  const int share = cores_per_rank(world);
  EXPECT_GE(share, 1);
  auto plan = Plan(MPI_COMM_WORLD, c2c({8, 8, 8}));
  EXPECT_EQ(plan.any().threads(), std::min(share, omp_get_max_threads()));
  const std::string told = "; " + std::to_string(plan.any().threads()) + " thread";
  EXPECT_NE(plan.describe(Detail::all).find(told), std::string::npos) << plan.describe(Detail::all);
}

TEST(Threads, are_no_more_than_a_cpu_quota_allows) {
  const std::string v2_mount = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  const FileTree unlimited({{"/proc/self/mountinfo", v2_mount}, {"/proc/self/cgroup", "0::/\n"}});
  const FileTree one_core({{"/proc/self/mountinfo", v2_mount},
                           {"/proc/self/cgroup", "0::/job/step\n"},
                           {"/sys/fs/cgroup/job/cpu.max", "100000 100000\n"},
                           {"/sys/fs/cgroup/job/step/cpu.max", "max 100000\n"}});
  const FileTree many_cores({{"/proc/self/mountinfo", v2_mount},
                             {"/proc/self/cgroup", "0::/\n"},
                             {"/sys/fs/cgroup/cpu.max", "900000000 100000\n"}});
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_EQ(cores_per_rank(world, one_core.root()), 1);
  EXPECT_EQ(cores_per_rank(world, many_cores.root()), cores_per_rank(world, unlimited.root()));
}

TEST(Threads, that_cannot_be_are_refused) {
  Options options;
  options.threads = -2;
  try {
    Plan(MPI_COMM_WORLD, c2c({8, 8, 8}), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "-2 threads a rank");
  }
}

TEST(Threads, a_caller_that_is_in_parallel_itself_may_have_none_to_give) {
  Options options;
  options.threads = 3;
  auto plan = Plan(MPI_COMM_WORLD, c2c({12, 10, 8}), options);
  auto u = plan.make_input();
  auto v = plan.make_output(), w = plan.make_output();
  for (auto [at, x] : u.points()) x = std::complex<double>(at[0] - at[2], at[1]);
  plan.forward(u, v);
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    plan.forward(u, w);
  }
  EXPECT_EQ(max_abs_difference(v, w), 0);
}

// The thread of a parallel region gets no threads of its own, unless OpenMP may nest regions.
TEST(Threads, are_one_in_a_parallel_region_of_the_caller) {
  int threads = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    threads = Plan(MPI_COMM_WORLD, c2c({12, 10, 8})).any().threads();
  }
  EXPECT_EQ(threads, 1);
}

// A copy of 64 tiles of 16 points into four messages.
TEST(Threads, that_fail_do_not_end_the_program) {
  Sweep::Listener listener;
  listener.stored = [](int) { throw Error(Error::system, "the line is dead"); };
  listener.between = [] {};
  const std::vector<Feeds> four_messages(4, Feeds::other_nodes);
  for (int threads : {1, 3}) {
    PassSpec spec;
    spec.real_boxes = spec.spectral_boxes = {Box{{0, 0}, {64, 16}}};
    spec.real_scalar = spec.spectral_scalar = {Precision::double_precision, true};
    spec.limits = {16, 8};
    spec.source = {packed_patch(spec.real_boxes.front(), 0, 0)};
    for (int message = 0; message < 4; ++message)
      spec.target.push_back(
          packed_patch(Box{{16 * message, 0}, {16 * message + 16, 16}}, 1, 256 * message, message));
    spec.target_messages = 4;
    const SweepProgram program = with_items({with_tiles(spec)}, 1, four_messages);
    EXPECT_EQ(program.passes.front().tiles.size(), 64U);
    ASSERT_EQ(program.items.size(), 1U);
    EngineSet engines(find_engine("").name);
    Sweep sweep(program, threads, engines);
    Pass& pass = sweep.passes().front();
    const auto memory = tile_memory(threads, pass.group_bytes(), pass.tile_bytes());
    pass.make_kernels(memory, engines, Effort::estimate);
    const Buffer source(64 * 16 * 16), target(64 * 16 * 16);
    try {
      sweep.begin();
      sweep.run(program.items.front(), {source.data(), target.data()}, listener);
      FAIL() << threads << " threads";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "the line is dead");
    }
  }
}

// Planes of 18x20 points do not fit a cache of 4 KiB, but the one that is shared.
TEST(Sweep, takes_passes_over_the_same_planes_together) {
  Options options;
  options.threads = 1;
  options.pretend.cache_bytes = 4096;
  options.pretend.shared_cache_bytes = 65536;
  options.strategy = fmt::format("fftw | from {}x1x1 | fft 2 | fft 1 | p2p to 1x{}x1 | fft 0",
                                 ranks_of_world(), ranks_of_world());
  if (fftw_entry().applies() || ranks_of_world() > 18) return;
  auto plan = Plan(MPI_COMM_WORLD, c2c({24, 18, 20}), options);
  std::vector<std::string> names;
  for (const auto& stage : plan.report().forward.stages) names.push_back(stage.name.substr(0, 21));
  EXPECT_EQ(names.front(), "pass 0: axes 2 then 1");
  EXPECT_EQ(names.size(), 3U);
  EXPECT_EQ(plan.report().backward.stages.size(), 3U);
}

TEST(SendCountdown, hands_over_a_message_once_its_last_part_is_stored) {
  SendCountdown countdown({2, 1, 3});
  std::vector<int> sent;
  const auto send = [&](int message) { sent.push_back(message); };
  for (int run = 0; run < 2; ++run) {
    sent.clear();
    countdown.reset();
    countdown.count_part(2);
    countdown.count_part(0);
    countdown.send_complete(send);
    EXPECT_EQ(sent, std::vector<int>{});
    countdown.count_part(1);
    countdown.count_part(0);
    countdown.send_complete(send);
    EXPECT_EQ(sent, (std::vector<int>{1, 0}));
    countdown.count_part(2);
    countdown.count_part(2);
    countdown.send_complete(send);
    countdown.send_complete(send);
    EXPECT_EQ(sent, (std::vector<int>{1, 0, 2}));
  }
}
