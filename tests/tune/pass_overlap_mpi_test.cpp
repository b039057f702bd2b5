// tune/cube_plan, tune/measure_pass_overlap: stages as they ran, and parts that are the same on all
// ranks. Times on a busy machine say nothing, so that no test compares any.

#include <gmock/gmock.h>

#include <algorithm>
#include <variant>

#include "support/asked.hpp"
#include "weft/tune/cube_plan.hpp"
#include "weft/tune/job_facts.hpp"
#include "weft/tune/measure_pass_overlap.hpp"

using namespace weft;
using namespace weft::test;
using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Gt;
using testing::Le;
using testing::SizeIs;

namespace {

// As doctor finds the machine, but for caches and memory.
MachineMeasurement found_with(const Communicator& world, std::int64_t cache_bytes,
                              std::int64_t spare_bytes) {
  MachineMeasurement found;
  found.job = job_facts(world, quick(), "here");
  found.job.shared_cache_bytes = cache_bytes;
  found.job.spare_bytes = spare_bytes;
  return found;
}

constexpr std::int64_t much_memory = std::int64_t{1} << 40;

}  // namespace

TEST(CubePlan, stages_are_those_of_the_strategy_and_passes_of_a_sweep_are_one) {
  const Communicator world(MPI_COMM_WORLD);
  CubePlan cube(world, 16, quick());
  cube.run();
  StageTimes times(cube, 3);
  for (int run = 0; run < 3; ++run) {
    cube.run();
    times.add_run();
  }
  const std::vector<StagesRun> all = times.all();
  const auto& stages = cube.body().strategy().stages;
  std::size_t end = 0;
  for (const StagesRun& ran : all) {
    EXPECT_EQ(ran.first, end);
    EXPECT_THAT(ran.seconds, AllOf(SizeIs(3), Each(Gt(0.0))));
    for (std::size_t s = ran.first; s < ran.end; ++s)
      EXPECT_TRUE(ran.end == ran.first + 1 || std::holds_alternative<PassStage>(stages[s]));
    end = ran.end;
  }
  EXPECT_EQ(end, stages.size());
  // 64 KiB are in the cache of any core.
  if (world.size() == 1) EXPECT_THAT(all, SizeIs(1));
}

TEST(PassOverlap, is_a_part_and_the_same_on_all_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  // The cube and the walks would take minutes of many ranks that take turns.
  if (world.size() > 4) GTEST_SKIP() << "as on fewer ranks";
  const MachineMeasurement found = found_with(world, 1, much_memory);
  const auto overlap = measure_pass_overlap(world, found, quick(), 0.05);
  ASSERT_TRUE(overlap.has_value());
  for (const double part : {overlap->rows, overlap->columns}) {
    EXPECT_THAT(part, AllOf(Ge(0.0), Le(1.0)));
    EXPECT_EQ(world.max(part), -world.max(-part));
  }
}

TEST(PassOverlap, is_unknown_where_memory_or_caches_do_not_allow_it) {
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_EQ(measure_pass_overlap(world, found_with(world, much_memory, much_memory), quick(), 0.05),
            std::nullopt);
  // On one rank only.
  const std::int64_t spare = world.rank() + 1 < world.size() ? much_memory : 1;
  EXPECT_EQ(measure_pass_overlap(world, found_with(world, 1, spare), quick(), 0.05), std::nullopt);
}
