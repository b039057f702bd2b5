// predicting/replayed: what runs of all ranks take, beside what can be said without a replay.

#include "weft/predicting/replayed.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/choose/ranking.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/networks/network_of.hpp"

namespace weft {
namespace {

using testing::DoubleNear;
using testing::Gt;
using testing::Le;
using testing::Lt;

// A machine with `nodes` nodes of `ranks` ranks, each of which has a core; links of 1 GB/s.
MachineModel replayed_machine(int nodes, int ranks) {
  MachineModel machine;
  machine.ranks_per_node = machine.cores_per_node = ranks;
  machine.memory_bytes_per_second = {1e10};
  for (int core = 2; core <= ranks; ++core) machine.memory_bytes_per_second.push_back(1e10 * core);
  machine.message_seconds = 1e-6;
  machine.synchronization_seconds = 1e-7;
  Crossbar crossbar;
  crossbar.nodes = nodes;
  crossbar.link = {1e9, 2e-6};
  machine.network = crossbar;
  return machine;
}

Problem problem_of(const Dims& extents) {
  Problem problem;
  problem.extents = extents;
  return validated(problem);
}

struct Case {
  Problem problem;
  CostPredictor predictor;
  Strategy strategy;

  Case(const Dims& extents, const MachineModel& machine, int ranks, const std::string& text)
      : problem(problem_of(extents)),
        predictor(machine, network_of(machine.network), ranks),
        strategy(parse_strategy(text)) {}

  StrategyCost cost() const { return predictor.cost(strategy, problem, exchange_kinds()); }
  Replay run() const { return replayed(strategy, cost(), problem, predictor); }
};

double busy_in_passes(const Replay& replay) {
  double seconds = 0;
  for (const ReplayedStep& step : replay.steps)
    if (step.name.starts_with("pass")) seconds += step.busy;
  return seconds;
}

double predicted_passes(const StrategyCost& cost) {
  double seconds = 0;
  for (const StageCost& stage : cost.stages)
    if (!stage.is_exchange) seconds += stage.seconds();
  return seconds;
}

TEST(Replayed, OfOneRankTakesItsPasses) {
  for (const char* text :
       {"fftw | from 1x1x1 | fft 2,1,0", "fftw | from 1x1x1 | fft 2,1 | fft 0"}) {
    const Case one({48, 40, 36}, replayed_machine(1, 1), 1, text);
    const Replay replay = one.run();
    EXPECT_NEAR(replay.seconds, one.cost().seconds(), 1e-9 * replay.seconds) << text;
    EXPECT_NEAR(replay.waiting, 0, 1e-9);
    EXPECT_EQ(replay.transfers, 0);
  }
}

TEST(Replayed, WithoutChunksTakesTheSumOfPassesAndOfWhatTheLinksTake) {
  for (const char* exchange : {"p2p", "alltoallv", "alltoall", "alltoallw"}) {
    const Case two({64, 64, 64}, replayed_machine(2, 1), 2,
                   std::string("fftw | from 2x1x1 | fft 2,1 | ") + exchange + " to 1x2x1 | fft 0");
    const Replay replay = two.run();
    EXPECT_NEAR(replay.seconds, two.cost().seconds(), 0.01 * replay.seconds) << exchange;
    EXPECT_NEAR(busy_in_passes(replay), predicted_passes(two.cost()), 1e-9) << exchange;
    EXPECT_EQ(replay.transfers, 2) << exchange;
  }
}

TEST(Replayed, OfPencilsOnATorusTakesWhatTheClosedFormSays) {
  MachineModel machine = replayed_machine(1, 1);
  Torus torus;
  torus.extents = {4, 4};
  torus.link = {1e9, 1e-7};
  machine.network = torus;
  const Case pencils(
      {64, 64, 64}, machine, 16,
      "fftw | from 4x4x1 | fft 2 | alltoallv to 4x1x4 | fft 1 | alltoallv to 1x4x4 | "
      "fft 0");
  EXPECT_NEAR(pencils.run().seconds, pencils.cost().seconds(), 0.1 * pencils.cost().seconds());
}

TEST(Replayed, AnAlltoallvThatGoesPairwiseTakesTheSumOfItsRounds) {
  MachineModel machine = replayed_machine(1, 1);
  Torus torus;
  torus.extents = {8};
  torus.link = {1e6, 1e-7};
  torus.ties = Torus::Ties::up;
  machine.network = torus;
  const auto seconds = [&](AlltoallvWay way) {
    machine.alltoallv = way;
    const Case slabs({64, 64, 64}, machine, 8,
                     "fftw | from 8x1x1 | fft 2,1 | alltoallv to 1x8x1 | fft 0");
    const Replay replay = slabs.run();
    EXPECT_EQ(replay.transfers, 56);
    EXPECT_NEAR(replay.seconds, slabs.cost().seconds(), 0.03 * replay.seconds);
    return replay.seconds;
  };
  // See the tests of planning/pairwise: the busiest link has 10 messages, those of the rounds 15.
  EXPECT_NEAR(seconds(AlltoallvWay::pairwise), 1.5 * seconds(AlltoallvWay::at_once),
              0.05 * seconds(AlltoallvWay::pairwise));
}

TEST(Replayed, AllRoundsEndInGroupsOfAnySizeAndInChunks) {
  for (const int ranks : {1, 2, 3, 4, 6, 7, 12})
    for (const char* chunks : {"", " in 3"}) {
      MachineModel machine = replayed_machine((ranks + 1) / 2, 2);
      machine.alltoallv = AlltoallvWay::pairwise;
      const std::string r = std::to_string(ranks);
      const Case some(
          {17, 12, 10}, machine, ranks,
          "fftw | from " + r + "x1x1 | fft 2,1 | alltoallv to 1x" + r + "x1" + chunks + " | fft 0");
      EXPECT_THAT(some.run().seconds, Gt(0.999 * predicted_passes(some.cost()))) << r << chunks;
    }
}

TEST(Replayed, ChunksHideTheShorterOfPassesAndExchange) {
  const MachineModel machine = replayed_machine(4, 1);
  const auto with = [&](const std::string& chunks) {
    return Case({96, 96, 96}, machine, 4,
                "fftw | from 4x1x1 | fft 2,1 | p2p to 1x4x1" + chunks + " | fft 0");
  };
  const double plain = with("").run().seconds, chunked = with(" in 8").run().seconds;
  const StrategyCost cost = with("").cost();
  const double exchange = cost.stages[1].seconds();
  EXPECT_THAT(chunked, Lt(plain - 0.5 * std::min(exchange, predicted_passes(cost))));
  EXPECT_THAT(chunked, Gt(std::max(exchange, predicted_passes(cost))));
  EXPECT_NEAR(chunked, with(" in 8").cost().seconds(), 0.15 * chunked);
}

TEST(Replayed, NodesSendTogether) {
  const Case node({64, 64, 64}, replayed_machine(2, 2), 4,
                  "fftw | from 4x1x1 | fft 2,1 | node to 1x4x1 | fft 0");
  const Case apart({64, 64, 64}, replayed_machine(2, 2), 4,
                   "fftw | from 4x1x1 | fft 2,1 | p2p to 1x4x1 | fft 0");
  const Replay together = node.run();
  EXPECT_NEAR(together.seconds, node.cost().seconds(), 0.1 * together.seconds);
  EXPECT_THAT(together.seconds, Lt(apart.run().seconds));
}

TEST(Replayed, SharedMemoryNeedsNoTransfers) {
  const Case shared({64, 64, 64}, replayed_machine(1, 4), 4,
                    "fftw | from 4x1x1 | fft 2,1 | shared to 1x4x1 | fft 0");
  const Replay replay = shared.run();
  EXPECT_EQ(replay.transfers, 0);
  EXPECT_NEAR(replay.seconds, predicted_passes(shared.cost()), 0.01 * replay.seconds);
}

TEST(Replayed, HandlingMessagesTakesTimeOfTheRank) {
  const auto with = [](double message_seconds) {
    MachineModel machine = replayed_machine(8, 1);
    machine.message_seconds = message_seconds;
    const Case many({32, 32, 32}, machine, 8,
                    "fftw | from 8x1x1 | fft 2,1 | alltoallv to 1x8x1 | fft 0");
    return many.run().seconds;
  };
  // Seven messages leave, and seven come, some of them while the last ones leave.
  const double more = with(1e-3) - with(1e-12);
  EXPECT_THAT(more, Gt(7 * 1e-3));
  EXPECT_THAT(more, Le(14 * 1e-3 + 1e-6));
}

TEST(Replayed, BytesUnderWayTakeTimeOfRanksThatCompute) {
  const auto seconds = [](double per_byte, const std::string& exchange, const char* chunks = "") {
    MachineModel machine = replayed_machine(2, 1);
    machine.message_seconds_per_byte = per_byte;
    const Case some(
        {64, 64, 64}, machine, 2,
        "fftw | from 2x1x1 | fft 2,1 | " + exchange + " to 1x2x1" + chunks + " | fft 0");
    return some.run().seconds;
  };
  // A rank sends and receives 1 MiB, at 1 GB/s.
  const double handled = 2.0 * (1 << 20) * 0.4e-9;
  EXPECT_DOUBLE_EQ(seconds(0.4e-9, "alltoallv"), seconds(0, "alltoallv"))
      << "ranks that wait for a collective have the time";
  // 2.1 ms, of which the link takes the half.
  EXPECT_NEAR(seconds(1e-9, "alltoallv") - seconds(0, "alltoallv"), 1.05e-3, 0.01e-3);
  // Without chunks, too, ranks compute while messages are under way: what they keep themselves.
  for (const char* chunks : {"", " in 8"}) {
    const double more = seconds(0.4e-9, "p2p", chunks) - seconds(0, "p2p", chunks);
    EXPECT_THAT(more, Gt(0.45 * handled)) << chunks;
    EXPECT_THAT(more, Lt(1.1 * handled)) << chunks;
  }
}

TEST(Replayed, NodesMayBeSlowerThanTheirLinksWithMessagesOfTheirSize) {
  const auto seconds = [](std::vector<MessageSpeed> speeds, const char* exchange, int ranks) {
    MachineModel machine = replayed_machine(2, ranks / 2);
    machine.message_speeds = std::move(speeds);
    const std::string r = std::to_string(ranks);
    const Case some(
        {64, 64, 64}, machine, ranks,
        "fftw | from " + r + "x1x1 | fft 2,1 | " + exchange + " to 1x" + r + "x1 | fft 0");
    return some.run().seconds;
  };
  // A node sends 1 MiB, at 1 GB/s; with one rank in one message, with two in 4 of 256 KiB.
  for (const char* exchange : {"alltoallv", "p2p"})
    for (const int ranks : {2, 4}) {
      const std::int64_t bytes = ranks == 2 ? 1 << 20 : 1 << 18;
      const double free = seconds({}, exchange, ranks);
      EXPECT_NEAR(seconds({{bytes, 1e9}}, exchange, ranks), free, 1e-9);
      EXPECT_NEAR(seconds({{bytes / 2, 1e6}, {bytes, 1e9}}, exchange, ranks), free, 1e-9);
      EXPECT_NEAR(seconds({{bytes, 0.25e9}}, exchange, ranks) - free, 3e-3 * 1.048576, 2e-5)
          << exchange << ranks;
    }
}

TEST(Replayed, MessagesOfDifferentSizesShareTheEndsOfTheirNodes) {
  const auto seconds = [](std::vector<MessageSpeed> speeds) {
    MachineModel machine = replayed_machine(3, 1);
    machine.message_speeds = std::move(speeds);
    const Case some({63, 65, 64}, machine, 3,
                    "fftw | from 3x1x1 | fft 2,1 | alltoallv to 1x3x1 | fft 0");
    return some.run().seconds;
  };
  // A node sends 21 planes of 44 of 65 rows, in messages of 22 rows each, or of 21 and 22.
  const double bytes = 21.0 * 44 * 64 * 16;
  EXPECT_NEAR(seconds({{1, 0.25e9}}) - seconds({}), bytes * 3e-9, 0.03 * bytes * 3e-9);
}

TEST(Replayed, AllTransformsEndAndMoveWhatTheClosedFormCounts) {
  for (const auto& entry : exchanges())
    for (const int ranks : {1, 2, 3, 4, 6, 7, 12})
      for (const char* chunks : {"", " in 3"}) {
        const std::string r = std::to_string(ranks);
        const MachineModel machine = entry.name == "shared" ? replayed_machine(1, ranks)
                                                            : replayed_machine((ranks + 1) / 2, 2);
        const Case some({17, 12, 10}, machine, ranks,
                        "fftw | from " + r + "x1x1 | fft 2,1 | " + entry.name + " to 1x" + r +
                            "x1" + (entry.cuts ? chunks : "") + " | fft 0");
        const Replay replay = some.run();
        EXPECT_THAT(replay.seconds, Gt(0.999 * predicted_passes(some.cost()))) << entry.name << r;
        double links = 0;
        for (const StageCost& stage : some.cost().stages) links += stage.links;
        EXPECT_THAT(replay.seconds, Gt(0.999 * links)) << entry.name << r;
        EXPECT_EQ(replay.seconds, some.run().seconds);
      }
}

}  // namespace
}  // namespace weft
