// plan/progress_levels: ranks that have initialised MPI with different thread levels agree on who
// makes progress.

#include <gmock/gmock.h>

#include "support/asked.hpp"
#include "support/wisdom_here.hpp"
#include "weft/any_plan.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/tuning.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

namespace {

// By the launcher, as MPI is not initialised yet.
bool is_first_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char* number = std::getenv(name)) return std::string(number) == "0";
  return false;
}

}  // namespace

// Asked by support/mpi_main.
int wanted_thread_level() { return is_first_rank() ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE; }

namespace {

using ProgressLevels = WisdomHere;

}  // namespace

TEST_F(ProgressLevels, a_thread_is_taken_by_all_ranks_or_by_none) {
  const Problem problem = of({12, 7, 10});
  WisdomEntry entry = entry_for(problem, measuring());
  entry.progress = Progress::by_thread;
  write(entry);
  const Communicator world(MPI_COMM_WORLD);
  const bool is_allowed = world.min(std::int64_t{mpi_allows_threads()}) != 0;
  AnyPlan plan(MPI_COMM_WORLD, problem, measuring());
  EXPECT_EQ(plan.report().progress, is_allowed ? Progress::by_thread : Progress::by_tiles);
  EXPECT_TRUE(is_remembered(plan));
  expect_right(plan);
}

TEST_F(ProgressLevels, a_thread_is_raced_by_all_ranks_or_by_none) {
  Options options = tuning();
  options.tune_seconds = 1;
  AnyPlan plan(MPI_COMM_WORLD, of({12, 7, 10}), options);
  expect_right(plan);
}

TEST_F(ProgressLevels, a_thread_that_one_rank_may_not_have_is_an_error_on_all) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.min(std::int64_t{mpi_allows_threads()}) != 0) GTEST_SKIP() << "all ranks may";
  Options options = measuring();
  options.progress = Progress::by_thread;
  expect_error(planning_error(of({6, 7, 5}), options), "may not call MPI");
}
