// plan/progress_thread: a thread that makes progress is raced and remembered where MPI allows it.
// Keeps: MPI is initialised with MPI_THREAD_MULTIPLE; without it these tests are skipped.

#include <gmock/gmock.h>

#include "support/asked.hpp"
#include "support/wisdom_here.hpp"
#include "weft/any_plan.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/plan/tuning.hpp"

using namespace weft;
using namespace weft::test;
using testing::Contains;
using testing::HasSubstr;

// Asked by support/mpi_main.
int wanted_thread_level() { return MPI_THREAD_MULTIPLE; }

namespace {

class ProgressThread : public WisdomHere {
 protected:
  void SetUp() override {
    if (!allows_progress_thread(Communicator(MPI_COMM_WORLD)))
      GTEST_SKIP() << "no MPI_THREAD_MULTIPLE";
  }
};

}  // namespace

// On two ranks: more of them take turns on the cores, and each race takes as long as all of these.
TEST_F(ProgressThread, is_raced_after_the_other_choices) {
  if (ranks() < 2) GTEST_SKIP();
  const bool races = rank() < 2;
  const auto comm =
      std::make_shared<const Communicator>(Communicator(MPI_COMM_WORLD).split(races ? 0 : 1));
  if (!races) return;
  Options options = with_time_for_all_rounds(tuning());
  options.exchange = "p2p";
  options.chunks = 1;
  options.pretend.cache_bytes = 1 << 18;
  options.pretend.shared_cache_bytes = 1 << 22;
  const Problem problem = of({16, 12, 10});
  auto untuned = PlanBody::make_unreported(comm, problem, options);
  const Tuned found = tuned(std::move(untuned), problem, options);
  std::vector<std::string> raced;
  for (const Raced& each : found.raced)
    if (each.round == "progress") raced.push_back(each.what);
  ASSERT_GE(raced.size(), 2U);
  EXPECT_THAT(raced[raced.size() - 2], HasSubstr("; progress inline"));
  EXPECT_THAT(raced[raced.size() - 1], HasSubstr("; progress thread"));
}

TEST_F(ProgressThread, that_is_remembered_makes_progress) {
  for (const Problem& problem : {of({12, 7, 10}), of({9, 10, 8}, Kind::r2c)}) {
    WisdomEntry entry = entry_for(problem, measuring());
    entry.progress = Progress::by_thread;
    write(entry);
    AnyPlan plan(MPI_COMM_WORLD, problem, measuring());
    EXPECT_TRUE(is_remembered(plan));
    EXPECT_EQ(plan.report().progress, Progress::by_thread);
    expect_right(plan);
  }
}
