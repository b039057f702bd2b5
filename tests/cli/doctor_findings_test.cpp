// cli/doctor/doctor_findings: each finding is shown by a measurement that has it, and none by a
// healthy one.

#include "weft/cli/doctor/doctor_findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::cli;

namespace {

// Two hosts of four cores, with a rank of one thread on each core.
MachineMeasurement healthy() {
  MachineMeasurement measured;
  JobFacts& job = measured.job;
  job.name = "healthy";
  job.mpi = "MPI 5";
  job.huge_pages = "madvise";
  job.has_mpi_threads = true;
  job.nodes = 2;
  job.ranks_per_node = job.cores_per_node = 4;
  job.hosts = {{4, 4, 0}, {4, 4, 0}};
  for (std::int64_t rank = 0; rank < 8; ++rank)
    job.ranks.push_back(
        {static_cast<int>(rank / 4), static_cast<int>(rank / 4), 1, {rank % 4}, {rank % 4}});
  measured.memory = {
      {{1, 20e9, 18e9, 1.05}, {2, 38e9, 35e9, 1.02}, {4, 60e9, 55e9, 1.1}}, 1 << 28, true};
  measured.engines = {{"weft", {{64, 1e-9, 1e-9}, {256, 1.2e-9, 1.2e-9}}, 1.02},
                      {"fftw", {{64, 0.9e-9, 1e-9}, {256, 1.1e-9, 1.2e-9}}, 1.01}};
  for (int first = 0; first < 8; ++first)
    for (int second = first + 1; second < 8; ++second) {
      const bool shares = first / 4 == second / 4;
      measured.messages.pairs.push_back(
          {first, second, shares, shares, shares ? 3e-7 : 2e-6, shares ? 8e9 : 12e9});
      measured.messages.map_ranks = {0, 1, 2, 3, 4, 5, 6, 7};
    }
  measured.messages.curves = {{"MPI_Alltoall", 7, {{1024, 1e-5}, {2048, 2e-5}}},
                              {"MPI_Alltoallv", 7, {{1024, 1.2e-5}, {2048, 2.1e-5}}}};
  measured.overlap = {{Progress::by_tiles, 0.7}};
  return measured;
}

std::vector<std::string> names(const MachineMeasurement& measured) {
  std::vector<std::string> all;
  for (const Finding& finding : findings_of(measured)) all.push_back(finding.name);
  return all;
}

std::string told(const MachineMeasurement& measured) {
  const auto findings = findings_of(measured);
  return findings.size() == 1 ? findings.front().what : "not one finding";
}

void expect(const MachineMeasurement& measured, const std::string& name, const std::string& part) {
  EXPECT_THAT(names(measured), testing::ElementsAre(name));
  EXPECT_THAT(told(measured), testing::HasSubstr(part));
}

}  // namespace

TEST(Findings, of_a_healthy_machine_are_none) { EXPECT_THAT(names(healthy()), testing::IsEmpty()); }

TEST(Findings, say_that_ranks_take_turns_and_then_judge_no_times) {
  MachineMeasurement measured = healthy();
  measured.memory.speeds[0].spread = 5;
  for (RankPlace& place : measured.job.ranks) place.threads = 2;
  expect(measured, "oversubscribed",
         "host 0 has 4 ranks with 8 threads in all, but 4 processors: they take turns");
}

TEST(Findings, count_the_quota_of_a_container) {
  MachineMeasurement measured = healthy();
  measured.job.hosts[1].quota = 2;
  expect(measured, "oversubscribed", "host 1 has 4 ranks with 4 threads in all, but 2 processors");
}

TEST(Findings, say_which_ranks_are_bound_to_one_core) {
  MachineMeasurement measured = healthy();
  measured.job.ranks[6].processors = measured.job.ranks[6].cores = {1};
  EXPECT_THAT(names(measured), testing::ElementsAre("same_core", "idle_cores"));
  EXPECT_THAT(findings_of(measured).front().what,
              testing::HasSubstr("the ranks 5,6 of host 1 are bound to the same cores"));
}

TEST(Findings, say_that_ranks_are_not_bound) {
  MachineMeasurement measured = healthy();
  for (RankPlace& place : measured.job.ranks) place.processors = place.cores = {0, 1, 2, 3};
  expect(measured, "unbound", "several ranks of host 0 may run on the same cores, 0 among them");
}

TEST(Findings, count_idle_cores) {
  MachineMeasurement measured = healthy();
  measured.job.hosts[1] = {6, 12, 0};
  expect(measured, "idle_cores",
         "2 of the 6 cores of host 1 do nothing: the job has 4 ranks with 4 threads in all there, "
         "on 4 cores");
}

TEST(Findings, know_that_hyper_threads_are_no_cores) {
  MachineMeasurement measured = healthy();
  for (Host& host : measured.job.hosts) host = {4, 8, 0};
  for (RankPlace& place : measured.job.ranks)
    place.processors = {place.cores[0], place.cores[0] + 4};
  EXPECT_THAT(names(measured), testing::IsEmpty());
}

TEST(Findings, say_what_the_system_and_mpi_refuse) {
  MachineMeasurement measured = healthy();
  measured.job.huge_pages = "never";
  expect(measured, "huge_pages", "no transparent huge pages");
  measured = healthy();
  measured.job.why_not_shared = "rank 0 cannot use the memory of rank 1";
  expect(measured, "not_shared", "rank 0 cannot use the memory of rank 1");
  measured = healthy();
  measured.job.has_mpi_threads = false;
  expect(measured, "no_mpi_threads", "MPI 5 does not provide MPI_THREAD_MULTIPLE");
}

TEST(Findings, say_that_the_machine_is_busy) {
  MachineMeasurement measured = healthy();
  measured.memory.speeds[1].spread = 1.31;
  expect(measured, "busy", "memory with 2 cores at work, the median took 1.31 times");
  measured = healthy();
  measured.passes.spread = 2;
  expect(measured, "busy", "whole transforms, the median took 2.00 times");
}

TEST(Findings, say_that_arrays_were_small) {
  MachineMeasurement measured = healthy();
  measured.memory.exceeds_caches = false;
  expect(measured, "small_arrays", "arrays of 268.4 MB a core");
}

TEST(Findings, say_that_another_engine_is_faster) {
  MachineMeasurement measured = healthy();
  for (LineSpeed& speed : measured.engines[1].speeds) speed.rows = speed.columns = 0.8e-9;
  expect(measured, "slow_engine", "the default engine weft takes 1.37 times as long as fftw");
}

TEST(Findings, say_that_messages_within_a_host_are_slow) {
  MachineMeasurement measured = healthy();
  for (PairSpeed& pair : measured.messages.pairs)
    if (pair.share_host) pair.bytes_per_second = 2.4e9;
  expect(measured, "slow_pair",
         "take 0.3 us and carry 2.40 GB/s, of the 20.0 GB/s that a core loads and stores: they "
         "seem to be copied through small buffers");
  measured = healthy();
  for (PairSpeed& pair : measured.messages.pairs) pair.latency_seconds = 6e-6;
  expect(measured, "slow_pair",
         "take 6.0 us and carry 8.00 GB/s, of the 20.0 GB/s that a core loads and stores: they "
         "seem to go through the network stack");
}

TEST(Findings, name_the_pair_with_the_slowest_link) {
  MachineMeasurement measured = healthy();
  measured.messages.pairs[3].bytes_per_second = 7e9;
  EXPECT_EQ(measured.messages.pairs[3].second, 4);
  expect(measured, "uneven_links", "ranks 0 and 4, on two hosts, exchange 7.00 GB/s");
}

TEST(Findings, compare_alltoallv_with_alltoall) {
  MachineMeasurement measured = healthy();
  measured.messages.curves[1].times = {{1024, 4e-5}, {2048, 4e-5}};
  expect(measured, "slow_alltoallv", "2.8 times as long as MPI_Alltoall");
}

TEST(Findings, say_that_nothing_hides_between_hosts) {
  MachineMeasurement measured = healthy();
  measured.overlap = {{Progress::by_tiles, 0.1}, {Progress::by_thread, 0.15}};
  expect(measured, "no_overlap", "no choice of progress hides more than 15%");
}

TEST(Findings, tell_how_to_mend_them) {
  MachineMeasurement measured = healthy();
  measured.job.huge_pages = "never";
  measured.job.has_mpi_threads = false;
  for (RankPlace& place : measured.job.ranks) place.processors = place.cores = {0, 1, 2};
  EXPECT_GE(findings_of(measured).size(), 3U);
  for (const Finding& finding : findings_of(measured)) EXPECT_FALSE(finding.mend.empty());
  for (const Threshold& threshold : thresholds()) EXPECT_NE(std::string(threshold.reason), "");
}

TEST(Findings, that_time_was_up_names_the_parts_that_were_cut_short) {
  MachineMeasurement measured = healthy();
  measured.cut_short = {"memory", "pairs of ranks"};
  expect(measured, "cut_short", "little or nothing was measured of: memory, pairs of ranks");
}

TEST(Findings, that_make_figures_wrong_are_in_the_machine_and_others_are_not) {
  MachineMeasurement measured = healthy();
  EXPECT_TRUE(machine_with_findings(measured).findings.empty());
  measured.job.huge_pages = "never";
  measured.passes.spread = 2;
  measured.cut_short = {"memory"};
  EXPECT_THAT(names(measured), testing::ElementsAre("busy", "cut_short", "huge_pages"));
  const MachineModel machine = machine_with_findings(measured);
  ASSERT_EQ(machine.findings.size(), 2U);
  EXPECT_EQ(machine.findings[0], findings_of(measured)[0]);
  EXPECT_EQ(machine.findings[1].name, "cut_short");
  MachineModel without = machine;
  without.findings.clear();
  EXPECT_EQ(without, machine_of(measured));
}
