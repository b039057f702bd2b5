// plan: what a plan says that it needs is what it takes, and what cannot be is refused at once.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <fstream>
#include <sstream>

#include "support/address_space.hpp"
#include "support/sanitized.hpp"
#include "support/world.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/error.hpp"
#include "weft/memory/capacity.hpp"
#include "weft/plan.hpp"
#include "weft/plan/memory_need.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

namespace {

// Whether the C library counts what is on the heap.
constexpr bool counts_heap = !weft::test::is_sanitized;

// Bytes that this process has taken from the heap, and mapped of shared regions.
std::int64_t bytes_taken() {
  const struct mallinfo2 heap = mallinfo2();
  auto bytes = static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd:weft") == std::string::npos) continue;
    std::istringstream range(line);
    std::uint64_t begin = 0, end = 0;
    char dash = 0;
    range >> std::hex >> begin >> dash >> end;
    bytes += static_cast<std::int64_t>(end - begin);
  }
  return bytes;
}

Options options_of(const std::string& exchange) {
  Options options;
  options.exchange = exchange;
  options.effort = Effort::estimate;
  options.engine = "fftw";
  options.threads = 1;
  options.pretend.cache_bytes = 1 << 18;
  options.pretend.shared_cache_bytes = 1 << 20;
  return options;
}

double total_of(const MemoryUse& use) {
  return static_cast<double>(use.buffers + use.stand_ins + use.tiles + use.programs);
}

std::string refusal_of_memory(const Problem& problem) {
  try {
    const AnyPlan plan(MPI_COMM_WORLD, problem, options_of(""));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::system) << error.what();
    EXPECT_FALSE(error.hint().empty());
    EXPECT_THAT(error.context(), HasSubstr("planning c2c "));
    return error.message();
  }
  return "no error";
}

}  // namespace

// Every rank maps the workspaces of all others, so with nodes of one rank its own are counted.
TEST(Memory, of_a_plan_is_what_was_planned_and_what_it_takes) {
  for (const char* exchange : {"p2p", "alltoallv", "node"})
    for (const int in_flight : {1, 2})
      for (const bool in_place : {false, true}) {
        Problem problem;
        problem.extents = {160, 160, 160};
        problem.in_place = in_place;
        Options options = options_of(exchange);
        options.pretend.node_sizes = {1};
        options.in_flight = in_flight;
        { const AnyPlan other(MPI_COMM_WORLD, problem, options); }  // what libraries keep for good
        const std::int64_t before = bytes_taken();
        const AnyPlan plan(MPI_COMM_WORLD, problem, options);
        const auto taken = static_cast<double>(bytes_taken() - before);
        const PlanMemory memory = plan.memory();
        SCOPED_TRACE(plan.describe(Detail::all));
        // What MPI and FFTW take; and large buffers are rounded up to huge pages of 2 MiB, which
        // they are aligned to.
        const double small = (1 << 20) + in_flight * (2 << 21);
        if (counts_heap) {
          EXPECT_NEAR(total_of(memory.held), taken, 0.1 * taken + small);
        }
        EXPECT_NEAR(total_of(memory.planned), total_of(memory.held),
                    0.1 * total_of(memory.held) + 65536);
        EXPECT_EQ(memory.planned.buffers, memory.held.buffers);
        EXPECT_EQ(memory.planned.input, plan.input().elements * 16);
        EXPECT_EQ(memory.planned.output, in_place ? 0 : plan.output().elements * 16);
        EXPECT_EQ(memory.held.input, 0) << "arrays are the user's";
        EXPECT_THAT(plan.describe(Detail::all), HasSubstr("\nmemory: "));
      }
}

// Planes by groups of their lines or columns, in the sizes that take more than a quarter of a tile:
// long rows, columns that stay columns, lines that exceed the part of the cache for a group even at
// the least width, and planes that have one axis only.
TEST(Memory, of_planes_and_groups_is_planned) {
  struct Case {
    Extents extents;
    std::int64_t cache_bytes, shared_cache_bytes;
    const char* choice;
  };
  for (const Case& each :
       {Case{{200, 200}, 1 << 20, 1 << 20, "in columns"},
        Case{{256, 256}, 4 << 20, 1 << 30, "in columns"},
        Case{{4096, 64}, 1 << 18, 32 << 20, "in rows"},
        Case{{1, 4096}, 4 << 20, 1 << 30, "in rows"}, Case{{300, 77}, 1 << 18, 1 << 20, "in rows"},
        Case{{30, 30}, 1 << 20, 1 << 30, "in columns"}}) {
    Problem problem;
    problem.extents = each.extents;
    problem.batch = 18;
    Options options = options_of("");
    options.pretend.cache_bytes = each.cache_bytes;
    options.pretend.shared_cache_bytes = each.shared_cache_bytes;
    options.strategy = fmt::format("fftw | from 1x1x1 | fft 2,1 {}", each.choice);
    const AnyPlan plan(MPI_COMM_SELF, problem, options);
    const auto planned = static_cast<double>(plan.memory().planned.tiles);
    const auto held = static_cast<double>(plan.memory().held.tiles);
    SCOPED_TRACE(plan.describe(Detail::all));
    EXPECT_GE(planned, 0.94 * held);  // padding
    EXPECT_LE(planned, 1.25 * held);
  }
}

// Programs consist of tiles, so they count where tiles are small.
TEST(Memory, of_programs_is_counted) {
  Problem problem;
  problem.extents = {64, 64, 64};
  Options options = options_of("p2p");
  options.pretend.cache_bytes = 4096;
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const PlanMemory memory = plan.memory();
  EXPECT_GT(memory.held.programs, 100'000 / ranks_of_world());
  EXPECT_NEAR(static_cast<double>(memory.planned.programs),
              static_cast<double>(memory.held.programs),
              0.5 * static_cast<double>(memory.held.programs));
}

TEST(Memory, of_stand_ins_is_planned_where_the_node_works_on_arrays) {
  Problem problem;
  problem.extents = {16, 16, 16};
  Options options = options_of("shared");
  options.pretend.node_sizes = {ranks_of_world()};
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const PlanMemory before = plan.memory();
  EXPECT_EQ(before.held.stand_ins, 0);
  std::vector<std::complex<double>> u(static_cast<std::size_t>(plan.input().elements) + 1);
  std::vector<std::complex<double>> v(static_cast<std::size_t>(plan.output().elements) + 1);
  plan.forward(u.data(), v.data());
  plan.backward(v.data(), u.data());
  EXPECT_EQ(plan.memory().held.stand_ins, before.planned.stand_ins);
}

// The message says that no plan was made for it, which would take minutes.
TEST(Memory, that_no_machine_has_is_refused_without_planning) {
  const auto refused = [](const Extents& extents, std::int64_t batch) {
    Problem problem;
    problem.extents = extents;
    problem.batch = batch;
    const std::string message = refusal_of_memory(problem);
    EXPECT_THAT(message, HasSubstr("the field has "));
    EXPECT_THAT(message, HasSubstr("B, and the machine of these ranks has "));
  };
  constexpr std::int64_t mega = 1 << 20;
  refused({mega, mega}, 1);
  refused({mega << 18, mega >> 2}, 1);
  refused({mega << 20}, 1);
  refused({mega << 38}, 1);  // has no small factors to look for
  refused({4, 4}, std::int64_t{1} << 54);
}

// Half of the memory for the input, and as much for the output, and a little more.
TEST(Memory, that_all_arrays_together_exceed_is_refused) {
  const std::int64_t bytes = memory_capacity().machine;
  Problem problem;
  problem.extents = {4, 4};
  problem.batch = bytes / 2 / (16 * 16) + 1000;
  const std::string message = refusal_of_memory(problem);
  EXPECT_THAT(message, HasSubstr(ranks_of_world() == 1 ? "1 rank of one machine needs "
                                                       : " ranks of one machine need "));
  EXPECT_THAT(message, HasSubstr(" of memory, and the machine has "));
  EXPECT_THAT(message, HasSubstr("input "));
  EXPECT_THAT(message, HasSubstr(", output "));
}

TEST(Memory, beyond_the_limit_of_the_process_is_refused) {
  const std::int64_t most = taken_address_space() + (std::int64_t{64} << 20);
  Problem problem;
  problem.extents = {4, 4};  // one and a half times the limit of all ranks
  problem.batch = most * 3 / 4 / (16 * 16) * ranks_of_world();
  const Communicator world(MPI_COMM_WORLD);
  problem.batch = world.max(problem.batch);
  if (2 * 16 * 16 * problem.batch > memory_capacity().machine) GTEST_SKIP() << "too many ranks";
  const std::string message = [&] {
    const AddressSpaceLimit limit(most);
    const bool all_keep = world.min(std::int64_t{limit.is_kept()}) != 0;
    return all_keep ? refusal_of_memory(problem) : "";
  }();
  if (message.empty()) GTEST_SKIP() << "this system does not limit address space";
  EXPECT_THAT(message, HasSubstr(" of memory, but ulimit -v allows "));
}

namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

// What require_memory says where a control group of 256 MiB limits each rank, whose process holds
// `held` bytes when it plans; all ranks are in one group, or each in its own.
std::string refusal_in_group(std::int64_t bytes, std::int64_t held, bool is_shared) {
  const Communicator world(MPI_COMM_WORLD);
  Capacity capacity;
  capacity.machine = capacity.process = std::int64_t{1} << 50;
  capacity.group = 256 * mebibyte;
  capacity.group_number = is_shared ? 7 : 7 + world.rank();
  capacity.held = held;
  MemoryUse use;
  use.input = bytes;
  try {
    require_memory(world, use, [&] { return capacity; });
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::system);
    return error.message();
  }
  return "no error";
}

}  // namespace

// 200x200x200 points, two fields: 256.0 MB of 268.4, which left too little for MPI and libraries.
TEST(Memory, of_a_control_group_is_not_for_plans_alone) {
  EXPECT_THAT(refusal_in_group(std::int64_t{2} * 16 * 200 * 200 * 200, 21 * mebibyte, false),
              HasSubstr("1 rank of one control group (container) needs 256.0 MB of memory, beside "
                        "55.6 MB for MPI and libraries, and the group's limit is 268.4 MB (rank 0: "
                        "input 256.0 MB)"));
  EXPECT_EQ(refusal_in_group((256 - 32 - 21) * mebibyte, 21 * mebibyte, false), "no error");
  EXPECT_NE(refusal_in_group((256 - 32 - 21) * mebibyte + 1, 21 * mebibyte, false), "no error");
  // A process that holds its arrays already is not refused for them twice.
  EXPECT_EQ(refusal_in_group(160 * mebibyte, 200 * mebibyte, false), "no error");
}

TEST(Memory, of_a_control_group_is_for_all_its_ranks_together) {
  const std::int64_t each = 256 * mebibyte / ranks_of_world() - (32 + 5) * mebibyte;
  if (each <= 0) {
    EXPECT_THAT(refusal_in_group(0, 5 * mebibyte, true), HasSubstr(" ranks of one control group"));
    return;
  }
  EXPECT_EQ(refusal_in_group(each, 5 * mebibyte, true), "no error");
  EXPECT_THAT(refusal_in_group(each + 1, 5 * mebibyte, true),
              HasSubstr(fmt::format(
                  "{} of one control group (container) need",
                  ranks_of_world() == 1 ? "1 rank" : fmt::format("{} ranks", ranks_of_world()))));
}

TEST(Memory, that_is_not_free_is_refused_on_all_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_GT(available_memory().machine, 0);
  EXPECT_LE(available_memory().machine, memory_capacity().machine);
  EXPECT_GT(available_memory().process, 0);
  EXPECT_NO_THROW(require_free_memory(world, world.rank()));
  // One rank alone needs more than there is.
  const bool is_last = world.rank() + 1 == world.size();
  try {
    require_free_memory(world, is_last ? std::int64_t{1} << 60 : 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::system);
    EXPECT_THAT(error.what(), HasSubstr("1.2 EB more each, and"));
  }
}
