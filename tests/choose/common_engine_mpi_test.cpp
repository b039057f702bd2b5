// choose/common_engine: ranks on different processors take an engine that all have.

#include "weft/choose/common_engine.hpp"
#include "weft/comm/mpi_comm.hpp"

#include <gtest/gtest.h>

#include "support/check_plan.hpp"
#include "support/old_processor.hpp"
#include "support/world.hpp"
#include "weft/base/ensure.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/fft/processor_family.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

std::vector<std::byte> bits(const std::string& engine) {
  Problem problem;
  problem.extents = {24, 20, 50};
  Options options;
  options.engine = engine;
  options.effort = Effort::estimate;
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  EXPECT_NE(plan.engine(), "weft");
  std::vector<std::byte> bits;
  const auto failure = check_plan(plan, Reference(validated(problem), 7), &bits);
  EXPECT_FALSE(failure) << *failure;
  return bits;
}

}  // namespace

TEST(CommonEngine, is_one_that_applies_on_all_ranks) {
  const OneOldProcessor old;
  const Communicator world(MPI_COMM_WORLD);
  const std::string common = common_engine(world, "");
  EXPECT_NE(common, "weft");
  EXPECT_EQ(common_engine(world, common), common);
  EXPECT_EQ(bits(""), bits(common));
}

TEST(CommonEngine, that_is_asked_for_must_apply_on_all_ranks) {
  const OneOldProcessor old;
  const Communicator world(MPI_COMM_WORLD);
  const std::int64_t lowest =
      world.min(std::int64_t{usual_lane_width() == 0 ? world.rank() : world.size()});
  const std::string why = agree_on_text(world, static_cast<int>(lowest),
                                        [] { return weft_entry().applies().value_or(""); });
  EXPECT_FALSE(why.empty());
  try {
    common_engine(world, "weft");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::unsupported);
    EXPECT_EQ(error.message(),
              fmt::format("the engine 'weft' does not apply on rank {}: {}", lowest, why));
  }
}

TEST(CommonEngine, that_does_not_exist_is_refused_with_the_list) {
  try {
    common_engine(Communicator(MPI_COMM_WORLD), "cufft");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "there is no engine 'cufft'");
  }
}
