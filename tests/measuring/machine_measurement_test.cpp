// measuring/machine_measurement: the machine that is made of measurements; which cores and ranks
// are measured.

#include "weft/measuring/machine_measurement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "weft/measuring/job_facts.hpp"
#include "weft/measuring/measure_memory.hpp"
#include "weft/measuring/measure_messages.hpp"

using namespace weft;
using testing::ElementsAre;

TEST(MachineOf, interpolates_the_cores_that_were_not_measured) {
  MachineMeasurement measured;
  measured.memory.speeds = {{1, 0, 0, 1, 10e9, 0}, {2, 0, 0, 1, 18e9, 0}, {4, 0, 0, 1, 30e9, 0}};
  EXPECT_THAT(machine_of(measured).memory_bytes_per_second, ElementsAre(10e9, 18e9, 24e9, 30e9));
  EXPECT_TRUE(machine_of(measured).shared_cache_bytes_per_second.empty());
  for (MemorySpeed& speed : measured.memory.speeds) speed.cached_walk = 2 * speed.walk;
  EXPECT_THAT(machine_of(measured).shared_cache_bytes_per_second,
              ElementsAre(20e9, 36e9, 48e9, 60e9));
}

TEST(MachineOf, keeps_rows_and_columns_of_the_default_engine) {
  MachineMeasurement measured;
  measured.engines = {{"weft", {{64, 1e-9, 4e-9, 0.625e-9, 1e-9, 2.5e-9}}, 1},
                      {"fftw", {{64, 9e-9, 9e-9}}, 1}};
  const auto transforms = machine_of(measured).transforms;
  ASSERT_EQ(transforms.size(), 1U);
  EXPECT_EQ(transforms[0].points, 64);
  EXPECT_DOUBLE_EQ(transforms[0].rows, 1e-9);
  EXPECT_DOUBLE_EQ(transforms[0].columns, 4e-9);
  EXPECT_DOUBLE_EQ(transforms[0].real_part, 0.625);
  EXPECT_DOUBLE_EQ(transforms[0].single_part, 2.0 / 3);
  // They are not known for other engines than the default one.
  measured.engines.erase(measured.engines.begin());
  EXPECT_EQ(machine_of(measured).transforms[0].real_part, TransformSpeed().real_part);
  EXPECT_EQ(machine_of(measured).transforms[0].single_part, TransformSpeed().single_part);
}

TEST(MachineOf, takes_the_links_between_nodes_where_there_are_several) {
  MachineMeasurement measured;
  measured.job.nodes = 2;
  measured.messages.message_seconds = 1e-6;
  measured.messages.message_seconds_per_byte = 3e-11;
  measured.messages.node_bytes_per_second = 11e9;
  measured.messages.pairs = {{0, 1, true, true, 1e-7, 40e9}, {0, 2, false, false, 5e-6, 9e9}};
  const auto network = std::get<Crossbar>(machine_of(measured).network);
  EXPECT_EQ(machine_of(measured).message_seconds_per_byte, 3e-11);
  EXPECT_EQ(network.nodes, 2);
  EXPECT_DOUBLE_EQ(network.link.bytes_per_second, 11e9);
  // One way takes 5 us: 1 us for each of the two ranks, and two links.
  EXPECT_DOUBLE_EQ(network.link.latency_seconds, 1.5e-6);
}

TEST(MachineOf, knows_how_fast_nodes_are_with_messages_of_each_size) {
  MachineMeasurement measured;
  measured.job.nodes = 2;
  measured.messages.message_seconds = 1e-6;
  measured.messages.node_bytes_per_second = 1e9;
  measured.messages.pairs = {{0, 1, false, false, 5e-6, 9e9}};
  // Two ranks of each node send.
  measured.messages.curves = {
      {"pair between nodes", 1, {{4096, 1e-9}}},
      {"streams", 2, {{4096, 8e-6}, {1 << 20, 1e-3}, {2 << 20, 0.5e-3}}, true}};
  const MachineModel machine = machine_of(measured);
  ASSERT_EQ(machine.message_speeds.size(), 3U);
  EXPECT_EQ(machine.message_speeds[0].bytes, 4096);
  EXPECT_DOUBLE_EQ(machine.message_speeds[0].bytes_per_second, 8192 / 8e-6);
  EXPECT_DOUBLE_EQ(machine.message_speeds[1].bytes_per_second, (2 << 20) / 1e-3);
  // What the largest messages reach, the link carries.
  const double largest = (4 << 20) / 0.5e-3;
  EXPECT_DOUBLE_EQ(machine.message_speeds[2].bytes_per_second, largest);
  EXPECT_DOUBLE_EQ(std::get<Crossbar>(machine.network).link.bytes_per_second, largest);
  // Where the large ones were left out, they are taken for as fast as the link.
  const SizeCurve all = measured.messages.curves.back();
  measured.messages.node_bytes_per_second = 3e9;
  measured.messages.curves.back().times.resize(1);
  EXPECT_THAT(machine_of(measured).message_speeds,
              ElementsAre(machine.message_speeds[0], MessageSpeed{1 << 20, 3e9}));
  measured.messages.curves.back() = all;
  // Caches carry more than links do.
  measured.messages.curves.back().times.front().seconds = 1e-9;
  EXPECT_DOUBLE_EQ(machine_of(measured).message_speeds[0].bytes_per_second, largest);
}

TEST(MachineOf, is_finite_and_positive_whatever_was_measured) {
  MachineMeasurement measured;
  check(machine_of(measured));
  measured.memory.speeds = {{1, HUGE_VAL, 0, 1}, {2, 0, 0, 1}};
  measured.engines = {{"weft", {{16, 0, 0}, {64, std::nan(""), 1}}, 1}};
  measured.messages.pairs = {{0, 1, true, true, 0, HUGE_VAL}};
  measured.messages.synchronization_seconds = -1;
  measured.messages.message_seconds_per_byte = HUGE_VAL;
  measured.messages.curves = {{"streams", 1, {{1, 0}, {2, std::nan("")}, {3, HUGE_VAL}}, true}};
  check(machine_of(measured));
}

TEST(MeasuredCores, are_all_of_few_and_some_of_many) {
  EXPECT_THAT(measured_cores(1), ElementsAre(1));
  EXPECT_THAT(measured_cores(2), ElementsAre(1, 2));
  EXPECT_THAT(measured_cores(20), ElementsAre(1, 2, 3, 4, 6, 8, 12, 16, 20));
}

TEST(RanksOfMap, are_all_of_few_and_spread_over_many) {
  EXPECT_THAT(ranks_of_map(3, 4), ElementsAre(0, 1, 2));
  EXPECT_THAT(ranks_of_map(100, 4), ElementsAre(0, 1, 50, 99));
}

TEST(ChosenWord, is_in_brackets) {
  EXPECT_EQ(chosen_word("always [madvise] never"), "madvise");
  EXPECT_EQ(chosen_word("] none ["), "");
}
