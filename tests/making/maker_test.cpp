// making/maker: programs of any rank of any machine, made without MPI; they compare and print.

#include "weft/making/maker.hpp"

#include <gmock/gmock.h>

#include <ctime>
#include <set>
#include <utility>

#include "weft/proof/check.hpp"
#include "weft/proof/proof.hpp"

namespace weft {
namespace {

using testing::HasSubstr;

Blueprint blueprint_of(const std::string& strategy, std::vector<int> nodes,
                       const Extents& extents = {8, 8, 8}) {
  Problem problem;
  problem.extents = extents;
  Machine machine;
  machine.ranks = static_cast<int>(nodes.size());
  machine.node_of_rank = std::move(nodes);
  return Blueprint::of(validated(problem), parse_strategy(strategy), machine);
}

const char* const by_messages = "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0";
const char* const in_memory = "fftw | from 2x1x1 | fft 2,1 | shared to 1x2x1 | fft 0";

int tasks_of(const Program& program, Task::Kind kind) {
  return static_cast<int>(std::count_if(program.tasks.begin(), program.tasks.end(),
                                        [&](const Task& task) { return task.kind == kind; }));
}

}  // namespace

TEST(Maker, sends_what_another_rank_receives) {
  const auto programs = make_programs(blueprint_of(by_messages, {0, 1}), true);
  ASSERT_EQ(programs.size(), 2);
  const Message& sent = programs[0].exchanges[0].sends.at(0);
  const Message& received = programs[1].exchanges[0].receives.at(0);
  EXPECT_EQ(sent.peer, 1);
  EXPECT_EQ(received.peer, 0);
  EXPECT_EQ(sent.tag, received.tag);
  EXPECT_EQ(sent.count, 4 * 4 * 8);
  EXPECT_EQ(sent.count, received.count);
}

TEST(Maker, sends_nothing_where_ranks_share_memory) {
  const auto programs = make_programs(blueprint_of(in_memory, {0, 0}), true);
  EXPECT_EQ(tasks_of(programs[0], Task::send), 0);
  EXPECT_EQ(tasks_of(programs[0], Task::receive), 0);
  EXPECT_GT(tasks_of(programs[0], Task::await), 0);
  EXPECT_EQ(programs[0].buffers[0].space, MemorySpace::node);
}

// A choice is that of both directions, of which one may begin with rows, and the other with
// columns.
TEST(Maker, loads_columns_beyond_the_caches_through_copies) {
  const auto loads_directly = [](std::int64_t cache_bytes, bool forward) {
    Problem problem;
    problem.extents = {16, 16, 16};
    problem.kind = Kind::r2c;
    Machine machine;
    machine.ranks = 1;
    machine.node_of_rank = {0};
    machine.shared_cache_bytes = cache_bytes;
    const char* const strategy = "weft | from 1x1x1 | fft 2,1 direct-loads | fft 0";
    const Program program = make_program(
        Blueprint::of(validated(problem), parse_strategy(strategy), machine), forward, 0);
    for (const SweepProgram& sweep : program.sweeps)
      for (const PassProgram& pass : sweep.passes)
        if (pass.spec.axes.size() == 2) return pass.spec.loads_directly.value_or(false);
    return false;
  };
  for (const bool forward : {true, false}) {
    EXPECT_EQ(loads_directly(1 << 14, forward), forward);
    EXPECT_TRUE(loads_directly(1 << 24, forward));
  }
}

// Slabs of thousands of ranks have as many messages as pairs of ranks. One program needs only those
// of its own rank, or node, and the largest: if all are listed, a second becomes minutes.
TEST(Maker, lists_no_messages_between_others) {
  const auto program_with = [&](const std::string& exchange, int ranks, int ranks_of_node) {
    std::vector<int> nodes;
    for (int rank = 0; rank < ranks; ++rank) nodes.push_back(rank / ranks_of_node);
    const auto strategy =
        fmt::format("fftw | from {0}x1 | fft 1 | {1} to 1x{0} | fft 0", ranks, exchange);
    return make_program(blueprint_of(strategy, std::move(nodes), {2 * ranks + 1, 2 * ranks}), true,
                        5);
  };
  const std::clock_t begin = std::clock();
  const Program by_node = program_with("node", 4096, 32);
  EXPECT_EQ(by_node.exchanges.at(0).sends.size(), 4096 / 32 / 32);
  // One rank has 3 rows, and the others 2; all have 2 columns.
  constexpr int ranks = 16384;
  for (const auto& [exchange, largest] :
       {std::pair("alltoallv", 3 * 2 * (ranks - 1)), std::pair("alltoall", 3 * 2)}) {
    const Program program = program_with(exchange, ranks, 1);
    ASSERT_EQ(program.exchanges.at(0).collectives.size(), 1);
    EXPECT_EQ(program.exchanges[0].collectives[0].group.size(), ranks);
    EXPECT_EQ(program.exchanges[0].collectives[0].largest_count, largest) << exchange;
  }
  // Of the processor, as other work on the machine may take as long as it likes.
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 60);
}

TEST(Maker, makes_one_program_as_it_makes_all) {
  for (const char* strategy : {by_messages, in_memory})
    for (const bool forward : {true, false}) {
      const Blueprint blueprint = blueprint_of(strategy, {0, 0});
      const auto all = make_programs(blueprint, forward);
      for (int rank = 0; rank < 2; ++rank)
        EXPECT_EQ(make_program(blueprint, forward, rank), all[static_cast<std::size_t>(rank)]);
    }
}

TEST(Maker, makes_programs_that_differ_where_ranks_do) {
  const auto programs = make_programs(blueprint_of(by_messages, {0, 1}), true);
  EXPECT_NE(programs[0], programs[1]);
}

// Tasks that become ready together are submitted in the order of the list.
TEST(Maker, sends_a_chunk_before_it_receives_the_one_that_is_paired_with_it) {
  const auto blueprint = blueprint_of("fftw | from 2x1x1 | fft 2,1 | node to 1x2x1 in 4 | fft 0",
                                      {0, 1}, {64, 64, 64});
  for (const Program& program : make_programs(blueprint, true)) {
    std::set<int> begun;  // what tasks before have waited for to send
    int pairs = 0;
    for (const Task& task : program.tasks)
      for (const Wait& wait : task.waits) {
        if (task.kind == Task::send) begun.insert(wait.task);
        if (wait.why != Why::paired) continue;
        EXPECT_TRUE(begun.contains(wait.task));
        ++pairs;
      }
    EXPECT_EQ(pairs, 4);
  }
}

// In 4 chunks, the messages of 64x64x64 points between two nodes have 256 KiB.
TEST(Maker, pairs_the_large_chunks_of_two_nodes) {
  const auto paired = [](const std::string& exchange, const Extents& extents) {
    const auto blueprint = blueprint_of(
        fmt::format("fftw | from 2x1x1 | fft 2,1 | {} | fft 0", exchange), {0, 1}, extents);
    int waits = 0;
    for (const Program& program : make_programs(blueprint, true))
      for (const Task& task : program.tasks)
        for (const Wait& wait : task.waits)
          if (wait.why == Why::paired) {
            EXPECT_EQ(task.kind, Task::receive);
            ++waits;
          }
    EXPECT_TRUE(check(programs_of(blueprint)).empty());
    return waits;
  };
  EXPECT_EQ(paired("node to 1x2x1 in 4", {64, 64, 64}), 2 * 4);
  EXPECT_EQ(paired("node to 1x2x1", {64, 64, 64}), 0);
  EXPECT_EQ(paired("node to 1x2x1 in 4", {8, 8, 8}), 0);
  EXPECT_EQ(paired("p2p to 1x2x1 in 4", {64, 64, 64}), 0);  // it limits its sends
}

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

// A pass over columns, the last one of a two-dimensional transform, or the first one if r2c halves
// the columns, where a core has a cache of 1 MiB.
PassProgram columns_of(const Extents& extents, std::int64_t shared_cache_bytes,
                       Precision precision = Precision::double_precision, int ranks = 1,
                       bool halves_columns = false) {
  Problem problem;
  problem.extents = extents;
  problem.precision = precision;
  if (halves_columns) {
    problem.kind = Kind::r2c;
    problem.bases = {Basis::fourier, Basis::dct2};
  }
  Machine machine;
  machine.ranks = ranks;
  machine.node_of_rank.assign(static_cast<std::size_t>(ranks), 0);
  machine.cache_bytes = mebibyte;
  machine.shared_cache_bytes = shared_cache_bytes;
  const std::string strategy = halves_columns ? "fftw | from 1x1 | fft 0 | fft 1"
                               : ranks == 1   ? "fftw | from 1x1 | fft 1 | fft 0"
                                              : "fftw | from 2x1 | fft 1 | shared to 1x2 | fft 0";
  const Blueprint blueprint = Blueprint::of(validated(problem), parse_strategy(strategy), machine);
  const Program program = make_program(blueprint, true, 0);
  PassProgram pass =
      halves_columns ? program.sweeps.front().passes.front() : program.sweeps.back().passes.back();
  EXPECT_EQ(pass.tiles.front().real.extent(0), extents[0]);
  return pass;
}

std::int64_t row_bytes(const PassProgram& pass) {
  return pass.tiles.front().real.extent(1) * pass.spec.spectral_scalar.bytes();
}

// Where columns exceed a quarter of the cache, a tile has rows of 512 bytes if it fits two caches,
// else of 256 or 128 bytes, and a rank has at least 16 tiles.
TEST(Maker, makes_rows_of_tiles_longer_where_the_tile_fits_two_caches) {
  const auto rows = [](const Extents& extents, Precision precision = Precision::double_precision,
                       int ranks = 1) {
    return row_bytes(columns_of(extents, 4096 * mebibyte, precision, ranks));
  };
  EXPECT_EQ(rows({256, 8192}), 1024);  // a quarter of the cache
  EXPECT_EQ(rows({512, 8192}), 512);
  EXPECT_EQ(rows({1024, 8192}), 512);
  EXPECT_EQ(rows({4096, 8192}), 512);
  EXPECT_EQ(rows({4097, 8192}), 256);
  EXPECT_EQ(rows({8192, 8192}), 256);
  EXPECT_EQ(rows({8193, 8192}), 128);
  EXPECT_EQ(rows({65536, 1024}), 128);
  EXPECT_EQ(rows({4096, 8192}, Precision::single_precision), 512);
  EXPECT_EQ(rows({4096, 512}), 512);
  EXPECT_EQ(rows({4096, 508}), 256);  // 15.9 tiles
  EXPECT_EQ(rows({4096, 128}), 128);
  EXPECT_EQ(rows({4096, 512}, Precision::double_precision, 2), 256);
}

// Where a rank's part exceeds half of its part of the shared caches, rows have 2 KiB, or 1, if the
// tile fits one cache and there are at least 256 of them.
TEST(Maker, makes_rows_of_tiles_longer_still_where_data_exceed_the_shared_cache) {
  const auto rows = [](const Extents& extents, std::int64_t shared_cache_bytes = mebibyte,
                       int ranks = 1) {
    return row_bytes(columns_of(extents, shared_cache_bytes, Precision::double_precision, ranks));
  };
  EXPECT_EQ(rows({256, 32768}), 2048);
  EXPECT_EQ(rows({512, 32768}), 2048);
  EXPECT_EQ(rows({513, 32768}), 1024);
  EXPECT_EQ(rows({1024, 32768}), 1024);
  EXPECT_EQ(rows({1025, 32768}), 512);
  EXPECT_EQ(rows({8192, 16384}), 256);
  EXPECT_EQ(rows({512, 32764}), 1024);  // 255.97 tiles of rows of 2 KiB
  EXPECT_EQ(rows({512, 16380}), 512);
  EXPECT_EQ(rows({512, 32768}, 511 * mebibyte), 2048);
  EXPECT_EQ(rows({512, 32768}, 512 * mebibyte), 512);
  EXPECT_EQ(rows({512, 65536}, 511 * mebibyte, 2), 2048);
  EXPECT_EQ(rows({512, 65536}, 512 * mebibyte, 2), 512);
}

// A tile of columns that r2c halves has half as many numbers.
TEST(Maker, makes_rows_of_halved_columns_as_long_as_the_cache_holds) {
  const auto rows = [](const Extents& extents) {
    return row_bytes(columns_of(extents, mebibyte, Precision::double_precision, 1, true));
  };
  EXPECT_EQ(rows({1022, 32768}), 2048);
  EXPECT_EQ(rows({1024, 32768}), 1024);
  EXPECT_EQ(rows({2046, 16384}), 1024);
  EXPECT_EQ(rows({2048, 16384}), 512);
}

// Then groups of columns have rows of 1 KiB, or less, as long as the group fits half of a cache.
TEST(Maker, lets_groups_have_longer_rows_where_data_exceed_the_shared_cache) {
  const auto limits = [](std::int64_t shared_cache_bytes, Precision precision) {
    return columns_of({512, 8192}, shared_cache_bytes, precision).spec.limits;
  };
  const TileLimits large = limits(mebibyte, Precision::double_precision);
  EXPECT_EQ(large.long_group_run, 1024 / 16);
  EXPECT_EQ(large.long_group_points, mebibyte / 2 / 16);
  const TileLimits single = limits(mebibyte, Precision::single_precision);
  EXPECT_EQ(single.long_group_run, 1024 / 8);
  EXPECT_EQ(single.long_group_points, mebibyte / 2 / 8);
  EXPECT_EQ(limits(4096 * mebibyte, Precision::double_precision).long_group_run, 0);
}

TEST(Maker, joins_passes_only_if_every_thread_has_blocks_enough) {
  const auto sweeps_of = [](std::int64_t batch, int threads) {
    Problem problem;
    problem.extents = {16, 16, 16};
    problem.batch = batch;
    Machine machine;
    machine.threads_of_rank = {threads};
    machine.shared_cache_bytes = std::int64_t{1} << 30;
    const std::string strategy =
        batch > 1 ? "fftw | from 1x1x1x1 | fft 3,2 | fft 1" : "fftw | from 1x1x1 | fft 2,1 | fft 0";
    machine.cache_bytes = 16 * 16 * 16 * 4;  // a tile is a plane
    const Blueprint blueprint =
        Blueprint::of(validated(problem), parse_strategy(strategy), machine);
    return make_program(blueprint, true, 0).sweeps.size();
  };
  // A block is a whole field.
  EXPECT_EQ(sweeps_of(1, 1), 1);
  EXPECT_EQ(sweeps_of(1, 2), 2);
  EXPECT_EQ(sweeps_of(7, 2), 2);
  EXPECT_EQ(sweeps_of(8, 2), 1);
  EXPECT_EQ(sweeps_of(8, 3), 2);
}

TEST(Maker, tells_passes_what_the_strategy_chooses_for_them) {
  const Program program = make_program(
      blueprint_of(
          "fftw | from 1x1x1 | fft 2,1 by mkl,weft in columns streamed unprefetched direct-loads "
          "buffered-stores | fft 0",
          {0}),
      true, 0);
  const PassSpec& chosen = program.sweeps.front().passes.front().spec;
  EXPECT_EQ(chosen.engines, (std::vector<std::string>{"mkl", "weft"}));
  EXPECT_EQ(chosen.keeps_columns, true);
  EXPECT_TRUE(chosen.streaming);
  EXPECT_FALSE(chosen.prefetches);
  EXPECT_EQ(chosen.loads_directly, true);
  EXPECT_EQ(chosen.stores_directly, false);
  EXPECT_EQ(chosen.stage, 0);
  const PassSpec& by_rule = program.sweeps.back().passes.back().spec;
  EXPECT_TRUE(by_rule.engines.empty());
  EXPECT_FALSE(by_rule.keeps_columns);
  EXPECT_FALSE(by_rule.streaming);
  EXPECT_FALSE(by_rule.prefetches);
  EXPECT_FALSE(by_rule.loads_directly);
  EXPECT_FALSE(by_rule.stores_directly);
  EXPECT_EQ(by_rule.stage, 1);
}

TEST(Maker, goes_past_the_caches_and_prefetches_where_a_pass_exceeds_half_of_them) {
  Blueprint blueprint = blueprint_of("fftw | from 1x1x1 | fft 2,1 | fft 0", {0});
  constexpr std::int64_t bytes = 8 * 8 * 8 * 16;
  for (const bool is_large : {false, true}) {
    blueprint.machine.shared_cache_bytes = 2 * bytes - (is_large ? 2 : 0);
    for (const SweepProgram& sweep : make_program(blueprint, true, 0).sweeps) {
      EXPECT_EQ(sweep.passes.front().spec.streaming, is_large);
      EXPECT_EQ(sweep.passes.front().spec.prefetches, is_large);
    }
  }
}

TEST(Maker, tells_passes_whether_they_fit_a_fifth_of_the_caches) {
  Blueprint blueprint = blueprint_of("fftw | from 1x1x1 | fft 2,1 | fft 0", {0});
  constexpr std::int64_t bytes = 8 * 8 * 8 * 16;
  for (const bool fits : {false, true}) {
    blueprint.machine.shared_cache_bytes = 5 * bytes - (fits ? 0 : 5);
    for (const SweepProgram& sweep : make_program(blueprint, true, 0).sweeps)
      EXPECT_EQ(sweep.passes.front().spec.fits_caches, fits);
  }
}

TEST(Maker, prints_buffers_messages_signals_and_what_waits_for_what) {
  const std::string text = to_string(make_program(blueprint_of(by_messages, {0, 1}), true, 0));
  EXPECT_THAT(text, HasSubstr("program of rank 0: workspace of "));
  EXPECT_THAT(text, HasSubstr("0: role 0 of rank 0, 4096 bytes at byte 0 of the source array"));
  EXPECT_THAT(text, HasSubstr("send 0: 128 elements at element 0 of buffer"));
  EXPECT_THAT(text, HasSubstr("(stored, submitted)"));
  EXPECT_THAT(to_string(make_program(blueprint_of(in_memory, {0, 0}), true, 0)),
              HasSubstr("exchange 0: cell 0 stored, raised by 2 ranks"));
}

TEST(Maker, makes_programs_for_hundreds_of_ranks_that_are_free_of_hazards) {
  std::vector<int> nodes;
  for (int rank = 0; rank < 128; ++rank) nodes.push_back(rank / 8);
  const Blueprint blueprint =
      blueprint_of("fftw | from 32x4x1 | fft 2 | node to 8x1x16 | fft 1 | node to 1x8x16 | fft 0",
                   nodes, {32, 32, 32});
  EXPECT_TRUE(check({make_programs(blueprint, true), make_programs(blueprint, false), nodes, false})
                  .empty());
}

}  // namespace weft
