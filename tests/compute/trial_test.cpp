// compute/trial: samples of fields that exceed the caches find none of their data there.

#include "weft/compute/trial.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "support/address_space.hpp"
#include "support/sanitized.hpp"
#include "weft/making/maker.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// A sample of `bytes` of a sweep over `whole` bytes.
Sample of(std::int64_t bytes, std::int64_t whole) {
  Sample sample;
  sample.bytes = bytes;
  sample.whole_bytes = whole;
  return sample;
}

// How many runs of a sample of `bytes` have memory of their own.
std::size_t different_places(TrialMemory& memory, std::int64_t bytes) {
  std::set<std::byte*> places;
  while (places.insert(memory.next(bytes)).second) {
  }
  return places.size();
}

// The only sweep of a plane that is one tile.
SweepProgram sweep_of_a_plane(std::int64_t points) {
  Problem problem;
  problem.extents = {points, points};
  Machine machine;
  machine.ranks = 1;
  machine.node_of_rank = {0};
  const Blueprint blueprint =
      Blueprint::of(validated(problem), parse_strategy("fftw | from 1x1 | fft 1,0"), machine);
  return make_program(blueprint, true, 0).sweeps.front();
}

}  // namespace

// Candidates of which one cannot be made run in turn with others.
TEST(TrialTiles, that_cannot_be_made_are_refused_each_time) {
  if (is_sanitized) GTEST_SKIP() << "sanitizers reserve address space";
  const SweepProgram large = sweep_of_a_plane(2048);
  EngineSet engines("fftw");
  Sweep sweep(large, 1, engines);
  const std::int64_t needed = sweep.passes().front().tile_bytes();
  ASSERT_GE(needed, std::int64_t{64} << 20);
  TrialTiles tiles(1);
  int refused = 0;
  {
    const AddressSpaceLimit limit(taken_address_space() + needed / 2);
    if (!limit.is_kept()) GTEST_SKIP() << "this system does not limit address space";
    for (int time = 0; time < 2; ++time) {
      try {
        tiles.make_room_for(sweep);
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_EQ(refused, 2);
  tiles.make_room_for(sweep);
  EXPECT_GE(tiles.tiles().front().bytes(), needed);
}

TEST(TrialMemory, gives_each_run_what_two_caches_of_other_runs_have_replaced) {
  const std::vector<Sample> samples{of(1000, 100000), of(500, 100000)};
  TrialMemory memory(samples, /*cache_bytes=*/2000, /*threads=*/2);
  EXPECT_EQ(different_places(memory, 1000), 5);
  EXPECT_EQ(different_places(memory, 500), 10);
}

TEST(TrialMemory, is_not_larger_than_the_field) {
  const std::vector<Sample> part{of(1000, 3000)}, all{of(3000, 3000)};
  TrialMemory of_part(part, /*cache_bytes=*/2000, /*threads=*/1),
      of_all(all, /*cache_bytes=*/2000, /*threads=*/1);
  EXPECT_EQ(different_places(of_part, 1000), 3);
  EXPECT_EQ(different_places(of_all, 3000), 1);
  // Told wrongly.
  TrialMemory beyond(part, std::numeric_limits<std::int64_t>::max(), /*threads=*/1);
  EXPECT_EQ(different_places(beyond, 1000), 3);
}

TEST(TrialMemory, gives_parts_that_are_its_own) {
  const std::vector<Sample> samples{of(700, 5000)};
  TrialMemory memory(samples, /*cache_bytes=*/1000, /*threads=*/1);
  std::byte* const first = memory.next(700);
  for (int i = 0; i < 20; ++i) {
    std::byte* const part = memory.next(i % 2 == 0 ? 700 : 300);
    EXPECT_GE(part, first);
    EXPECT_LE(part + (i % 2 == 0 ? 700 : 300), first + 2700);
  }
}

// An empty field.
TEST(TrialMemory, may_be_empty) {
  TrialMemory memory({}, /*cache_bytes=*/2000, /*threads=*/1);
  EXPECT_NO_THROW(memory.next(0));
}
