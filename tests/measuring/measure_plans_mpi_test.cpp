// measuring/measure_plans: passes are named as they ran. Times on a busy machine say nothing, so
// that no test compares any.

#include "weft/comm/mpi_comm.hpp"
#include "weft/measuring/measure_plans.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/world.hpp"

using namespace weft;
using namespace weft::test;
using testing::ElementsAre;

namespace {

std::vector<std::string> names_of(const PassMeasurement& measured) {
  std::vector<std::string> names;
  for (const PassSpeed& pass : measured.passes) {
    names.push_back(pass.name);
    // As many flops as the axes of the pass have, in the same time as its bytes.
    const auto axes = static_cast<double>(
        std::ranges::count_if(pass.name, [](char c) { return c >= '0' && c <= '2'; }));
    EXPECT_DOUBLE_EQ(pass.flops_per_second / pass.bytes_per_second, axes * 5 * 4 / 32);
  }
  return names;
}

}  // namespace

TEST(MeasuredPasses, are_one_where_they_share_a_sweep) {
  Options options = quick();
  options.pretend.shared_cache_bytes = std::int64_t{8} << 20;
  const Communicator world(MPI_COMM_WORLD);
  const auto passes = [&](const std::string& strategy) {
    options.strategy = strategy;
    return names_of(measure_passes(world, 16, options, TimeLimit(0.01, 600)));
  };
  if (world.size() == 1) {
    EXPECT_THAT(passes("fftw | from 1x1x1 | fft 2 | fft 1 | fft 0"),
                ElementsAre("fft 2 | fft 1 | fft 0"));
    EXPECT_THAT(passes("fftw | from 1x1x1 | fft 2,1,0"), ElementsAre("fft 2,1,0"));
    return;
  }
  const std::string ranks = std::to_string(world.size());
  EXPECT_THAT(passes("fftw | from " + ranks + "x1x1 | fft 2,1 | p2p to 1x" + ranks + "x1 | fft 0"),
              ElementsAre("fft 2,1", "fft 0"));
}
