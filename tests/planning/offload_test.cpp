// planning/offload: what devices take by arithmetic, and which of the two is taken.

#include "weft/planning/offload.hpp"

#include <gmock/gmock.h>

#include "weft/planning/constants.hpp"

namespace weft {
namespace {

constexpr double call = constants::device_call_seconds, giga = 1e9, milli = 1e-3;

// 1 GB on a rank there and back, in three passes.
OffloadWork work_of_gigabyte() {
  OffloadWork work;
  work.input_bytes = work.output_bytes = giga;
  work.passes.assign(3, {giga, giga});
  return work;
}

// As Lee's measurements have it, messages grow beside the work of a rank: 100 ms of computing on
// processors, and this many seconds of messages.
double gain_with_messages(double seconds) {
  OffloadWork work = work_of_gigabyte();
  work.exchanges = {{seconds, giga / 2}, {seconds, giga / 2}};
  const double processors = 200 * milli + 2 * seconds;
  return 1 - offload_cost(work, {50 * giga, 50 * giga, 1000 * giga}).seconds() / processors;
}

}  // namespace

TEST(Offload, arrays_cross_the_bus_once_each_way) {
  const OffloadCost cost = offload_cost(work_of_gigabyte(), {50 * giga, 25 * giga, 1000 * giga});
  EXPECT_NEAR(cost.copies, 60 * milli + 2 * call, 1e-12);
  EXPECT_NEAR(cost.passes, 6 * milli + 3 * call, 1e-12);
  EXPECT_EQ(cost.messages, 0);
  EXPECT_NEAR(cost.seconds(), 66 * milli + 5 * call, 1e-12);
}

TEST(Offload, streams_cross_the_bus_both_ways_in_each_pass) {
  OffloadWork work = work_of_gigabyte();
  work.streams = true;
  work.exchanges = {{7 * milli, giga}};
  const OffloadCost cost = offload_cost(work, {50 * giga, 25 * giga, 1000 * giga});
  EXPECT_NEAR(cost.copies, 3 * 40 * milli, 1e-12);
  EXPECT_NEAR(cost.passes, 3 * call, 1e-12);
  EXPECT_NEAR(cost.messages, 7 * milli, 1e-12);
}

TEST(Offload, messages_take_no_less_than_their_copies_and_hide_behind_passes) {
  OffloadWork work = work_of_gigabyte();
  work.exchanges = {{7 * milli, giga}, {70 * milli, giga}};
  work.hidden = 2 * milli;
  const DeviceSpeeds speeds{100 * giga, 50 * giga, 1000 * giga};
  EXPECT_NEAR(offload_cost(work, speeds).messages, (20 + 70 - 2) * milli, 1e-12);
  work.hidden = 1;
  EXPECT_NEAR(offload_cost(work, speeds).messages, (20 + 70 - 6) * milli - 3 * call, 1e-12);
}

TEST(Offload, a_fast_bus_makes_devices_faster_and_a_slow_one_does_not) {
  const auto choice = [](double bus, double processors) {
    const DeviceSpeeds speeds{bus, bus, 1000 * giga, true};
    return faster_engine(processors, "cuda", offload_cost(work_of_gigabyte(), speeds), speeds);
  };
  EXPECT_TRUE(choice(50 * giga, 100 * milli).is_device);
  EXPECT_FALSE(choice(10 * giga, 100 * milli).is_device);
  EXPECT_FALSE(choice(50 * giga, 40 * milli).is_device);
  EXPECT_EQ(choice(50 * giga, 100 * milli).told,
            "predicted 100.000 ms on processors, 46.050 ms on cuda: of which 40.020 ms for copies "
            "over the bus, 6.030 for passes and 0.000 for messages (measured 50.0 GB/s to the "
            "device of a rank, 50.0 from it, 1000.0 within)");
}

TEST(Offload, the_gain_falls_with_the_share_of_messages) {
  double last = 1;
  for (const double seconds : {0.0, 0.05, 0.2, 1.0, 10.0}) {
    const double gain = gain_with_messages(seconds);
    EXPECT_LT(gain, last);
    EXPECT_GT(gain, 0);
    last = gain;
  }
  EXPECT_LT(last, 0.01);
}

// A cube on ever more nodes of one rank, whose parts become smaller: first the messages of a
// strategy leave the gain smaller, and in the end processors are faster.
TEST(Offload, more_nodes_leave_a_smaller_gain_of_a_planned_strategy) {
  Problem problem;
  problem.extents = {256, 256, 256};
  problem = validated(problem);
  const DeviceSpeeds speeds{25 * giga, 25 * giga, 1000 * giga};
  const auto gain = [&](int nodes) {
    Machine machine{nodes, {}};
    for (int rank = 0; rank < nodes; ++rank) machine.node_of_rank.push_back(rank);
    const Strategy strategy = parse_strategy(
        nodes == 1
            ? "cuda | from 1x1x1 | fft 2 | fft 1 | fft 0"
            : fmt::format("cuda | from {0}x1x1 | fft 2 | fft 1 | p2p to 1x{0}x1 | fft 0", nodes));
    const StrategyCost cost =
        CostPredictor::here(machine).cost(strategy, problem, {{"p2p", false, true, false}});
    const OffloadWork work = offload_work(strategy, route_of(strategy, problem, nodes), cost);
    EXPECT_EQ(work.input_bytes, 16.0 * (1 << 24) / nodes);
    EXPECT_EQ(work.passes.size(), 3U);
    if (nodes > 1) {
      EXPECT_NEAR(work.exchanges.at(0).bytes, work.input_bytes * (nodes - 1) / nodes, 1);
    }
    return 1 - offload_cost(work, speeds).seconds() / cost.seconds();
  };
  EXPECT_GT(gain(1), gain(2));
  EXPECT_GT(gain(2), gain(64));
  EXPECT_GT(gain(2), 0);
}

}  // namespace weft
