// planning/cost: predictions against sums done by hand, and against what papers have measured.

#include "weft/planning/cost.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/problem_of.hpp"
#include "weft/base/ensure.hpp"
#include "weft/networks/network_of.hpp"
#include "weft/problem/validated.hpp"

using namespace weft;
using namespace weft::test;

namespace {

const std::vector<ExchangeKind> kinds{
    {"p2p", false, true, true}, {"node", true}, {"alltoallv", false}};

MachineModel crossbar_of(int nodes, int ranks_per_node) {
  MachineModel machine;
  machine.name = "test";
  machine.ranks_per_node = machine.cores_per_node = ranks_per_node;
  machine.memory_bytes_per_second = {1e10, 1.5e10};
  machine.transforms = {{8, 1e-9}, {32, 3e-9}};
  machine.message_seconds = 1e-6;
  machine.synchronization_seconds = 5e-6;
  Crossbar shape;
  shape.nodes = nodes;
  shape.link = {1e8, 2e-6};
  machine.network = shape;
  return machine;
}

StrategyCost cost_of(const MachineModel& machine, int ranks, Problem problem,
                     const std::string& strategy, int threads = 1) {
  problem = validated(problem);
  return CostPredictor(machine, network_of(machine.network), ranks, threads)
      .cost(parse_strategy(strategy), problem, kinds);
}

}  // namespace

TEST(MachineModel, transforms_are_interpolated_by_the_logarithm_of_their_points) {
  const MachineModel machine = crossbar_of(1, 1);
  EXPECT_DOUBLE_EQ(transform_seconds_per_point(machine, 8, {true}), 1e-9);
  EXPECT_DOUBLE_EQ(transform_seconds_per_point(machine, 16, {true}), 2e-9);
  EXPECT_DOUBLE_EQ(transform_seconds_per_point(machine, 32, {true}), 3e-9);
  EXPECT_DOUBLE_EQ(transform_seconds_per_point(machine, 1024, {true}), 6e-9);
  EXPECT_DOUBLE_EQ(transform_seconds_per_point(machine, 4, {true}), 2e-9 / 3);
  EXPECT_EQ(transform_seconds_per_point(machine, 1, {true}), 0);
}

TEST(Cost, of_transforms_is_that_of_rows_along_the_last_axis_and_of_columns_along_others) {
  MachineModel machine = crossbar_of(1, 1);
  machine.transforms = {{16, 1e-9, 3e-9}};
  const auto cost = cost_of(machine, 1, of({16, 16, 16}), "weft | from 1x1x1 | fft 2,1 | fft 0");
  EXPECT_DOUBLE_EQ(cost.stages[0].transforms, 4096 * (1e-9 + 3e-9));
  EXPECT_DOUBLE_EQ(cost.stages[1].transforms, 4096 * 3e-9);
  // Real lines, and those of single precision, take parts of that.
  machine.transforms[0].real_part = 0.75;
  machine.transforms[0].single_part = 0.625;
  Problem problem = of({16, 16, 16});
  problem.kind = Kind::r2c;
  problem.precision = Precision::single_precision;
  const auto parts = cost_of(machine, 1, problem, "weft | from 1x1x1 | fft 2,1 | fft 0");
  EXPECT_DOUBLE_EQ(parts.stages[0].transforms, 0.625 * (0.75 * 4096 * 1e-9 + 16 * 16 * 9 * 3e-9));
  EXPECT_DOUBLE_EQ(parts.stages[1].transforms, 0.625 * 16 * 16 * 9 * 3e-9);
}

// A library is taken to walk over memory as often as the passes that weft would make.
TEST(Cost, of_a_whole_pass_is_that_of_the_passes_over_its_axes) {
  const MachineModel machine = crossbar_of(1, 1);
  const Problem problem = of({256, 256, 256});
  const auto whole = cost_of(machine, 1, problem, "weft | from 1x1x1 | fft 2,1,0 by mkl whole");
  const auto passes = cost_of(machine, 1, problem, "weft | from 1x1x1 | fft 2,1 | fft 0");
  const auto one_tile = cost_of(machine, 1, problem, "weft | from 1x1x1 | fft 2,1,0");
  EXPECT_DOUBLE_EQ(whole.seconds(), passes.seconds());
  EXPECT_LT(whole.seconds(), one_tile.seconds());
}

TEST(MachineModel, cores_share_memory_and_the_shared_cache) {
  MachineModel machine = crossbar_of(1, 1);
  machine.shared_cache_bytes_per_node = 1000;
  EXPECT_DOUBLE_EQ(memory_share(machine, 1, 0), 1e10);
  EXPECT_DOUBLE_EQ(memory_share(machine, 2, 0), 0.75e10);
  EXPECT_DOUBLE_EQ(memory_share(machine, 4, 1e9), 1.5e10 / 4);
  machine.shared_cache_bytes_per_second = {3e10, 4e10};
  for (const double bytes : {0.0, 500.0}) EXPECT_DOUBLE_EQ(memory_share(machine, 1, bytes), 3e10);
  for (const double bytes : {1e3, 1e9}) EXPECT_DOUBLE_EQ(memory_share(machine, 1, bytes), 1e10);
  EXPECT_DOUBLE_EQ(memory_share(machine, 1, 750), 1.5e10);
  EXPECT_DOUBLE_EQ(memory_share(machine, 2, 500), 2e10);
}

TEST(Cost, of_tiles_that_no_cache_holds_is_that_of_more_walks) {
  MachineModel machine = crossbar_of(1, 1);
  machine.cache_bytes_per_core = 1 << 20;
  machine.shared_cache_bytes_per_node = 32 << 20;
  const auto walks = [&](const Extents& extents, const std::string& pass) {
    const double walked = 2.0 * 16 * static_cast<double>(volume(extents));
    const auto cost = cost_of(machine, 1, of(extents), "weft | from 1x1x1 | " + pass);
    return cost.stages.front().memory * 1e10 / walked;
  };
  EXPECT_DOUBLE_EQ(walks({256, 256, 256}, "fft 2 | fft 1,0"), 1);
  EXPECT_DOUBLE_EQ(walks({256, 256, 256}, "fft 2,1 | fft 0"), 1);
  EXPECT_DOUBLE_EQ(walks({256, 256, 256}, "fft 2,1,0"), 3.5);          // the third axis: 256 MiB
  EXPECT_DOUBLE_EQ(walks({256, 1024, 1024}, "fft 2,1 | fft 0"), 2.5);  // planes of 16 MiB
  EXPECT_DOUBLE_EQ(walks({2, 2, 1 << 22}, "fft 2 | fft 1,0"), 5);      // lines of 64 MiB
  EXPECT_DOUBLE_EQ(walks({(1 << 30) - 1, 1 << 29, 1}, "fft 0,1 | fft 2"),
                   11.5);  // a tile of 2^66 bytes
  EXPECT_DOUBLE_EQ(walks({1024, 64, 64}, "fft 0 | fft 2,1"), 1);
  EXPECT_DOUBLE_EQ(walks({2048, 64, 64}, "fft 0 | fft 2,1"), 1.25);  // 256 KiB for two cache lines
  EXPECT_DOUBLE_EQ(walks({4096, 64, 64}, "fft 0 | fft 2,1"), 1.7);
  EXPECT_DOUBLE_EQ(walks({8192, 64, 64}, "fft 0 | fft 2,1"), 2.5);  // 1 MiB
}

TEST(Cost, of_fields_in_the_shared_cache_is_at_its_speed) {
  MachineModel machine = crossbar_of(1, 2);
  machine.shared_cache_bytes_per_node = 32 << 20;
  machine.shared_cache_bytes_per_second = {4e10, 8e10};
  const auto speed = [&](std::int64_t side, bool in_place, int ranks) {
    Problem problem = of({side, side, side});
    problem.in_place = in_place;
    const auto cost = cost_of(machine, ranks, problem, "weft | from 1x1x1 | fft 2,1 | fft 0", 1);
    return 2.0 * 16 * static_cast<double>(side * side * side) / cost.stages.front().memory;
  };
  EXPECT_DOUBLE_EQ(speed(64, false, 1), 4e10);   // 4 MiB there and 4 MiB here
  EXPECT_DOUBLE_EQ(speed(128, false, 1), 1e10);  // 64 MiB
  EXPECT_DOUBLE_EQ(speed(128, true, 1), 1e10);   // all of the cache
  EXPECT_GT(speed(96, false, 1), 1e10);
  EXPECT_LT(speed(96, false, 1), speed(96, true, 1));
  // Planes of 4 MiB are transformed along the second axis in the shared cache.
  const double planes = 2.0 * 16 * 512 * 512 * 512;
  machine.cache_bytes_per_core = 1 << 20;
  machine.shared_cache_bytes_per_node = 64 << 20;
  const auto cost = cost_of(machine, 1, of({512, 512, 512}), "weft | from 1x1x1 | fft 2,1 | fft 0");
  EXPECT_DOUBLE_EQ(cost.stages[0].memory, planes / 1e10 + planes / 4e10);
  EXPECT_DOUBLE_EQ(cost.stages[1].memory, planes / 1e10);
}

TEST(Cost, of_bytes_that_ranks_handle_is_not_hidden) {
  // Each of two nodes sends half of its part, of 16 KiB a rank, and receives as much, at 1e8 bytes
  // a second.
  const auto cost = [](int ranks_per_node, const std::string& exchange, double per_byte) {
    MachineModel machine = crossbar_of(2, ranks_per_node);
    machine.message_seconds_per_byte = per_byte;
    const std::string ranks = std::to_string(2 * ranks_per_node);
    return cost_of(machine, 2 * ranks_per_node, of({16, 16, 8 * ranks_per_node}),
                   "weft | from " + ranks + "x1x1 | fft 2,1 | " + exchange + " to 1x" + ranks +
                       "x1 in 4 | fft 0");
  };
  for (const int ranks_per_node : {1, 2})
    for (const char* exchange : {"p2p", "node"}) {
      const StrategyCost free = cost(ranks_per_node, exchange, 0);
      EXPECT_EQ(free.stages[1].handling, 0);
      EXPECT_GT(free.hidden, 0);
      const StrategyCost some = cost(ranks_per_node, exchange, 1e-12);
      EXPECT_DOUBLE_EQ(some.stages[1].handling, 2 * 0.5 * 16384 * 1e-12) << exchange;
      EXPECT_NEAR(some.hidden, free.hidden, 16384 * 1e-12) << exchange;
      // All of the time of the exchange: nothing but the ends is hidden. More: it takes longer.
      const double seconds = free.stages[1].seconds();
      const StrategyCost all = cost(ranks_per_node, exchange, seconds / 16384);
      EXPECT_DOUBLE_EQ(all.stages[1].seconds(), seconds) << exchange;
      EXPECT_LT(all.hidden, 0.01 * free.hidden) << exchange;
      const StrategyCost more = cost(ranks_per_node, exchange, 2 * seconds / 16384);
      EXPECT_DOUBLE_EQ(more.stages[1].seconds(), 2 * seconds) << exchange;
    }
}

TEST(Cost, of_bytes_that_ranks_handle_is_hidden_by_links_that_are_slower_than_all_ranks_do) {
  // 1 MiB a rank, of which half goes over the link in 5 s; passes take some ms.
  const auto cost = [](double per_byte) {
    MachineModel machine = crossbar_of(2, 1);
    std::get<Crossbar>(machine.network).link = {1e5, 1e-9};
    machine.message_seconds_per_byte = per_byte;
    return cost_of(machine, 2, of({64, 64, 32}),
                   "weft | from 2x1x1 | fft 2,1 | p2p to 1x2x1 in 8 | fft 0");
  };
  const double handled = 1e-10 * (1 << 20);
  const double free = cost(0).seconds();
  EXPECT_GT(cost(1e-10).seconds(), free);
  EXPECT_LT(cost(1e-10).seconds(), free + handled / 3);
}

TEST(Cost, of_bytes_that_ranks_handle_is_the_same_of_a_sample_of_ranks) {
  MachineModel machine = crossbar_of(4, 2);
  machine.message_seconds_per_byte = 1e-10;
  const Problem problem = validated(of({16, 16, 16}));
  const CostPredictor predictor(machine, network_of(machine.network), 8);
  for (const char* text :
       {"weft | from 8x1x1 | fft 2,1 | p2p to 1x8x1 | fft 0",
        "weft | from 4x2x1 | fft 2 | p2p to 4x1x2 | fft 1 | node to 1x4x2 | fft 0"}) {
    const Strategy strategy = parse_strategy(text);
    const auto all = predictor.cost(strategy, problem, kinds);
    const auto some = predictor.cost(strategy, problem, kinds, CostPredictor::busiest_rank);
    for (std::size_t i = 0; i < all.stages.size(); ++i)
      EXPECT_DOUBLE_EQ(some.stages[i].handling, all.stages[i].handling) << text << i;
  }
}

TEST(Cost, of_links_is_that_of_nodes_where_these_are_slower_with_messages_of_this_size) {
  const auto links = [](std::vector<MessageSpeed> speeds, const std::string& exchange,
                        CostPredictor::Depth depth) {
    MachineModel machine = crossbar_of(4, 2);
    machine.message_speeds = std::move(speeds);
    const CostPredictor predictor(machine, network_of(machine.network), 8);
    const Strategy strategy =
        parse_strategy("weft | from 8x1x1 | fft 2,1 | " + exchange + " | fft 0");
    const StageCost cost =
        predictor.cost(strategy, validated(of({16, 16, 16})), kinds, depth).stages[1];
    return cost.links + cost.messages;
  };
  // Each node sends 3/4 of 16 KiB, in messages of 1 KiB to each rank of each other node, or half.
  const double bytes = 0.75 * 16384;
  for (const auto depth : {CostPredictor::every_message, CostPredictor::busiest_rank}) {
    const double free = links({}, "p2p to 1x8x1", depth);
    EXPECT_DOUBLE_EQ(links({{1024, 1e18}}, "p2p to 1x8x1", depth), free);
    EXPECT_DOUBLE_EQ(links({{512, 1e3}, {1024, 1e6}, {2048, 1e18}}, "p2p to 1x8x1", depth),
                     bytes / 1e6);
    EXPECT_DOUBLE_EQ(links({{512, 1e6}, {1024, 1e18}}, "p2p to 1x8x1 in 2", depth), bytes / 1e6);
    EXPECT_DOUBLE_EQ(links({{512, 1e18}, {1024, 1e6}}, "p2p to 1x8x1 in 2", depth),
                     links({}, "p2p to 1x8x1 in 2", depth));
  }
}

TEST(MessageSpeed, is_between_those_that_are_told) {
  // 1 us and 2 us a message, so 1.5 us halfway.
  const std::vector<MessageSpeed> speeds{{1000, 1e9}, {3000, 1.5e9}};
  EXPECT_DOUBLE_EQ(message_speed(speeds, 2000), 2000 / 1.5e-6);
  EXPECT_DOUBLE_EQ(message_speed(speeds, 1000), 1e9);
  EXPECT_DOUBLE_EQ(message_speed(speeds, 3000), 1.5e9);
  EXPECT_DOUBLE_EQ(message_speed(speeds, 1), 1e9);
  EXPECT_DOUBLE_EQ(message_speed(speeds, 1e9), 1.5e9);
  EXPECT_EQ(message_speed({}, 1), HUGE_VAL);
}

TEST(MachineModel, that_cannot_be_is_refused) {
  const auto error = [](auto change) {
    MachineModel machine = crossbar_of(2, 2);
    change(machine);
    return error_text([&] { check(machine); });
  };
  const auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(error([](MachineModel& m) { m.ranks_per_node = 0; }), "ranks_per_node of the machine");
  expect(error([](MachineModel& m) { m.memory_bytes_per_second = {}; }), "has no memory_bytes");
  expect(error([](MachineModel& m) { m.memory_bytes_per_second = {1e9, -1}; }), "is -1");
  expect(error([](MachineModel& m) { m.memory_bytes_per_second = {std::nan("")}; }), "is nan");
  expect(error([](MachineModel& m) { m.shared_cache_bytes_per_second = {0}; }),
         "shared_cache_bytes_per_second");
  expect(error([](MachineModel& m) { m.transforms = {}; }), "has no transforms");
  expect(error([](MachineModel& m) {
           m.transforms = {{64, 1e-9}, {64, 1e-9}};
         }),
         "of 64 points after 64");
  expect(error([](MachineModel& m) { m.transforms = {{1, 1e-9}}; }), "of 1 points after 1");
  expect(error([](MachineModel& m) { m.message_seconds = 0; }), "message_seconds of the machine");
  expect(error([](MachineModel& m) { m.message_seconds_per_byte = -1e-9; }),
         "message_seconds_per_byte of the machine");
  expect(error([](MachineModel& m) {
           m.message_speeds = {{8, 1e9}, {8, 1e9}};
         }),
         "of 8 bytes after 8");
  expect(error([](MachineModel& m) { m.message_speeds = {{0, 1e9}}; }), "of 0 bytes after 0");
  expect(error([](MachineModel& m) {
           m.message_speeds = {{1, 0}};
         }),
         "node_bytes_per_second of the machine");
  expect(error([](MachineModel& m) { std::get<Crossbar>(m.network).nodes = 0; }), "has 0 nodes");
  expect(error_text([] { ranks_of(crossbar_of(2, 2), 5); }), "5 ranks on the machine 'test'");
  expect(error_text([] {
           CostPredictor(crossbar_of(4, 1), 2, 1, {0, 4});
         }),
         "node 4 is taken, but");
  expect(error_text([] {
           CostPredictor(crossbar_of(4, 1), 2, 1, {3, 3});
         }),
         "node 3 is taken twice");
  expect(error_text([] { CostPredictor(crossbar_of(4, 1), 2, 1, {3}); }),
         "1 nodes are taken for 2");
}

// Slabs of 8x8x8 on 4 ranks: 128 points each, of which 3 x 32 go to others.
TEST(Cost, of_slabs_is_what_is_counted_by_hand) {
  const StrategyCost cost = cost_of(crossbar_of(4, 1), 4, of({8, 8, 8}),
                                    "fftw | from 4x1x1 | fft 2,1 | p2p to 1x4x1 | fft 0");
  ASSERT_EQ(cost.stages.size(), 3);
  EXPECT_DOUBLE_EQ(cost.stages[0].memory, 128 * 2 * 16 / 1e10);
  EXPECT_DOUBLE_EQ(cost.stages[0].transforms, 128 * 2 * 1e-9);
  EXPECT_DOUBLE_EQ(cost.stages[0].seconds(), 128 * 2 * 16 / 1e10 + 128 * 2 * 1e-9);
  EXPECT_DOUBLE_EQ(cost.stages[1].messages, 6e-6);
  EXPECT_EQ(cost.stages[1].message_count, 6);
  EXPECT_DOUBLE_EQ(cost.stages[1].message_bytes, 32 * 16);
  EXPECT_DOUBLE_EQ(cost.stages[1].latency, 4e-6);
  EXPECT_DOUBLE_EQ(cost.stages[1].links, 3 * 32 * 16 / 1e8);
  EXPECT_DOUBLE_EQ(cost.stages[1].memory, 0);
  EXPECT_DOUBLE_EQ(cost.stages[2].transforms, 128 * 1e-9);
  EXPECT_DOUBLE_EQ(cost.seconds(),
                   cost.stages[0].seconds() + cost.stages[1].seconds() + cost.stages[2].seconds());
}

// The same on 2 nodes of 2 ranks: of 96 points 32 stay in the node, and the two ranks share a link.
TEST(Cost, of_nodes_counts_what_leaves_them) {
  const MachineModel machine = crossbar_of(2, 2);
  const char* const stages = "fftw | from 4x1x1 | fft 2,1 | {} to 1x4x1 | fft 0";
  const StrategyCost p2p =
      cost_of(machine, 4, of({8, 8, 8}), fmt::format(fmt::runtime(stages), "p2p"));
  EXPECT_DOUBLE_EQ(p2p.stages[0].memory, 128 * 2 * 16 / 0.75e10);
  EXPECT_EQ(p2p.stages[1].message_count, 4);
  EXPECT_DOUBLE_EQ(p2p.stages[1].links, 2 * 64 * 16 / 1e8);
  EXPECT_DOUBLE_EQ(p2p.stages[1].memory, 2 * 32 * 16 / 0.75e10);
  const StrategyCost node =
      cost_of(machine, 4, of({8, 8, 8}), fmt::format(fmt::runtime(stages), "node"));
  EXPECT_EQ(node.stages[1].message_count, 2);  // one to the other node, and one from there
  EXPECT_DOUBLE_EQ(node.stages[1].message_bytes, 2 * 64 * 16);
  EXPECT_DOUBLE_EQ(node.stages[1].messages, 2e-6 / 2 + 5e-6);
  EXPECT_DOUBLE_EQ(node.stages[1].links, p2p.stages[1].links);
  EXPECT_DOUBLE_EQ(node.stages[1].memory, 0);
  // Within one node nothing is sent.
  const StrategyCost inside =
      cost_of(crossbar_of(1, 4), 4, of({8, 8, 8}), fmt::format(fmt::runtime(stages), "node"));
  EXPECT_DOUBLE_EQ(inside.stages[1].seconds(), 5e-6);
}

TEST(Cost, of_real_and_single_fields_and_threads_is_less) {
  const char* const stages = "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0";
  const MachineModel machine = crossbar_of(2, 2);
  Problem real = of({8, 8, 8});
  real.kind = Kind::r2c;
  const StrategyCost r2c = cost_of(machine, 2, real, stages);
  // Lines of 8 real points become 5 complex ones, of which there are 4 x 8 x 5 on each rank.
  EXPECT_DOUBLE_EQ(r2c.stages[0].memory, (256 * 8 + 160 * 16) / 0.75e10);
  EXPECT_DOUBLE_EQ(r2c.stages[0].transforms, (256 / 2 + 160) * 1e-9);
  Problem single = of({8, 8, 8});
  single.precision = Precision::single_precision;
  const StrategyCost half = cost_of(machine, 2, single, stages);
  const StrategyCost whole = cost_of(machine, 2, of({8, 8, 8}), stages);
  EXPECT_DOUBLE_EQ(half.stages[1].links * 2, whole.stages[1].links);
  EXPECT_DOUBLE_EQ(half.stages[0].transforms * 2, whole.stages[0].transforms);
  // Two ranks with two threads each take turns on the two cores of a node.
  const StrategyCost turns = cost_of(machine, 2, of({8, 8, 8}), stages, 2);
  EXPECT_DOUBLE_EQ(turns.stages[0].transforms, whole.stages[0].transforms);
  EXPECT_DOUBLE_EQ(turns.stages[0].memory, whole.stages[0].memory);
  // A rank alone on its node has both.
  MachineModel roomy = crossbar_of(2, 1);
  roomy.cores_per_node = 2;
  const StrategyCost threads = cost_of(roomy, 2, of({8, 8, 8}), stages, 2);
  EXPECT_DOUBLE_EQ(threads.stages[0].transforms * 2, whole.stages[0].transforms);
  EXPECT_DOUBLE_EQ(threads.stages[0].memory, 256 * 2 * 16 / 1.5e10);
}

// One rank of a node that could have two has all of its memory; more ranks than cores take turns.
TEST(Cost, of_nodes_that_are_not_full_or_too_full) {
  const char* const stages = "fftw | from 1x1x1 | fft 2,1,0";
  EXPECT_DOUBLE_EQ(cost_of(crossbar_of(2, 2), 1, of({8, 8, 8}), stages).stages[0].memory,
                   512 * 2 * 16 / 1e10);
  MachineModel crowded = crossbar_of(1, 8);
  crowded.cores_per_node = 2;
  const StrategyCost cost =
      cost_of(crowded, 8, of({8, 8, 8}), "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 | fft 0");
  EXPECT_DOUBLE_EQ(cost.stages[0].transforms, 64 * 2 * 1e-9 * 4);
  EXPECT_DOUBLE_EQ(cost.stages[0].memory, 64 * 2 * 16 / (1.5e10 / 8));
  // 3 ranks on nodes of 2: the one on the second node has all of the messages of its node.
  const StrategyCost odd = cost_of(crossbar_of(2, 2), 3, of({9, 9, 8}),
                                   "fftw | from 3x1x1 | fft 2,1 | node to 1x3x1 | fft 0");
  EXPECT_DOUBLE_EQ(odd.stages[1].messages, 2e-6 + 5e-6);
}

// Axis by axis, what the axes before it have left.
TEST(Cost, of_an_axis_is_of_what_the_axes_before_it_have_left) {
  Problem some = of({8, 8, 8});
  some.modes = {4, 4, 4};
  const auto sum_of = [&](const char* stages) {
    double sum = 0;
    for (const StageCost& stage : cost_of(crossbar_of(1, 1), 1, some, stages).stages)
      sum += stage.transforms;
    return sum;
  };
  EXPECT_DOUBLE_EQ(sum_of("fftw | from 1x1x1 | fft 2,1,0"), (512 + 256 + 128) * 1e-9);
  EXPECT_DOUBLE_EQ(sum_of("fftw | from 1x1x1 | fft 2 | fft 1 | fft 0"), (512 + 256 + 128) * 1e-9);
}

TEST(Cost, of_chunks_hides_the_shorter_of_passes_and_exchange) {
  const MachineModel machine = crossbar_of(4, 1);
  const StrategyCost whole =
      cost_of(machine, 4, of({8, 8, 8}), "fftw | from 4x1x1 | fft 2,1 | p2p to 1x4x1 | fft 0");
  const StrategyCost cut =
      cost_of(machine, 4, of({8, 8, 8}), "fftw | from 4x1x1 | fft 2,1 | p2p to 1x4x1 in 4 | fft 0");
  EXPECT_EQ(whole.hidden, 0);
  EXPECT_EQ(cut.stages[1].message_count, 24);
  EXPECT_DOUBLE_EQ(cut.stages[1].message_bytes, 32 * 16 / 4);
  // Two parts of each pass, of different axes. Messages of 128 bytes are eager: the pass after
  // waits for all, and only half of the first pass hides, as the exchange takes longer than it.
  EXPECT_GT(cut.stages[1].seconds(), cut.stages[0].seconds());
  EXPECT_NEAR(cut.hidden, cut.stages[0].seconds() / 2, 1e-18);
}

TEST(Cost, of_chunks_that_no_other_waits_for_hides_the_shorter) {
  const StrategyCost cut =
      cost_of(crossbar_of(4, 1), 4, of({8, 8, 8}),
              "fftw | from 2x2x1 | fft 2 | p2p to 2x1x2 in 4 | fft 1 | p2p to 1x2x2 | fft 0");
  const double passes = cut.stages[0].seconds() + cut.stages[2].seconds();
  EXPECT_DOUBLE_EQ(cut.hidden, std::min(passes, cut.stages[1].seconds()) * 0.75);
}

// Large messages arrive in their order, and the pass after begins with the first.
TEST(Cost, of_chunks_in_order_hides_more) {
  const auto over = [&](const std::string& exchange) {
    return cost_of(crossbar_of(4, 1), 4, of({128, 128, 128}),
                   "fftw | from 4x1x1 | fft 2,1 | " + exchange + " to 1x4x1 in 16 | fft 0");
  };
  const StrategyCost ordered = over("p2p"), all_at_once = over("alltoallv");
  EXPECT_NEAR(all_at_once.hidden, all_at_once.stages[0].seconds() * 0.75, 1e-12);
  EXPECT_NEAR(ordered.hidden, all_at_once.hidden + ordered.stages[2].seconds() * 0.75, 1e-12);
}

TEST(Cost, of_a_pass_between_two_exchanges_hides_once) {
  const StrategyCost cost = cost_of(
      crossbar_of(4, 1), 4, of({8, 8, 8}),
      "fftw | from 2x2x1 | fft 2 | p2p to 2x1x2 in 64 | fft 1 | p2p to 1x2x2 in 64 | fft 0");
  EXPECT_GE(cost.seconds(), cost.stages[1].links + cost.stages[3].links);
  const double passes =
      cost.stages[0].seconds() + cost.stages[2].seconds() + cost.stages[4].seconds();
  EXPECT_LE(cost.hidden, passes);
}

// Chan et al. (2008) find that an all-to-all over few rows takes s0 x rows per byte, since rows are
// neighbours on an incomplete line of the torus: with links of 175 MB/s they measured s0 = 2 ns per
// byte; the busiest link alone takes 1 / (4 x 175 MB/s) = 1.43 ns.
TEST(Cost, of_rows_on_a_torus_grows_with_their_number) {
  MachineModel machine;
  Torus torus;
  torus.extents = {8, 8, 8};
  torus.link = {175e6, 0};
  machine.network = torus;
  for (const int rows : {2, 4}) {
    const StrategyCost cost = cost_of(
        machine, 512, of({512, 512, 128}),
        fmt::format("fftw | from {1}x{0}x1 | fft 2 | p2p to {1}x1x{0} | fft 1 | p2p to 1x{1}x{0} | "
                    "fft 0",
                    rows, 512 / rows));
    const double bytes_of_rank = 512 * 512 * 128 / 512 * 16;
    EXPECT_NEAR(cost.stages[1].links / bytes_of_rank, rows / (4 * 175e6), 1e-15) << rows;
  }
}
