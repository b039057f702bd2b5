// program/known_cases: strategies that once gave wrong results when a rank was late. Their programs
// are free of races, but have races without the waits that were missing then.

#include <gmock/gmock.h>

#include "weft/making/maker.hpp"
#include "weft/proof/check.hpp"
#include "weft/proof/mutations.hpp"

namespace weft {
namespace {

Distribution pencils(Dims grid = {}) {
  Distribution distribution;
  distribution.form = Distribution::pencil;
  distribution.grid = grid;
  return distribution;
}

Distribution slabs() {
  Distribution distribution;
  distribution.form = Distribution::slab;
  return distribution;
}

ProgramSet programs(Problem problem, const std::string& strategy, std::vector<int> nodes) {
  Machine machine;
  machine.ranks = static_cast<int>(nodes.size());
  machine.node_of_rank = nodes;
  machine.cache_bytes = 2048;
  problem.in_place = true;
  const Blueprint blueprint = Blueprint::of(validated(problem), parse_strategy(strategy), machine);
  return {make_programs(blueprint, true), make_programs(blueprint, false), nodes, true};
}

// In place, two passes, then one shared exchange into the users' arrays.
ProgramSet stores_to_arrays_that_others_have_yet_to_read() {
  Problem problem;
  problem.extents = {64, 48, 40};
  problem.axes = {1, 2};
  problem.input = slabs();
  problem.output = pencils({1, 4});
  return programs(problem, "fftw | from 4x1x1 | fft 2 | fft 1 | shared to 1x4x1", {0, 0, 0, 0});
}

// In place, alltoallw at both ends; ranks 2 and 3 own nothing in between.
ProgramSet receives_into_an_array_that_is_being_sent() {
  Problem problem;
  problem.extents = {64, 64, 48};
  problem.axes = {1};
  problem.input = slabs();
  problem.output = pencils({1, 4});
  return programs(problem, "fftw | from 4x1x1 | alltoallw to 2x1x1 | fft 1 | alltoallw to 1x4x1",
                  {0, 0, 0, 0});
}

// The same as the first, on a placement, halved on the way: backward.
ProgramSet stores_to_placed_arrays_that_others_have_yet_to_read() {
  Problem problem;
  problem.extents = {23, 8, 11};
  problem.kind = Kind::r2c;
  problem.axes = {2, 0};
  problem.norm = Norm::none;
  problem.output = pencils();
  return programs(problem, "fftw | from 1x7x1 on 7,3,5,3,8,4,7 | fft 0 | fft 2 | shared to 3x3x1",
                  std::vector<int>(9, 0));
}

// Without the waits that were missing: those for the source, and those that let an exchange open
// when all of the node have begun it.
ProgramSet as_it_was(ProgramSet set) {
  for (const WaitKind& kind : wait_kinds(set))
    if (kind.why == Why::source_read || kind.signal.ends_with("begun"))
      if (kind.signal != "run begun") set = without(std::move(set), kind);
  return set;
}

std::string first_hazard(const ProgramSet& set) {
  const auto found = check(set);
  return found.empty() ? "" : found.front().text;
}

}  // namespace

TEST(KnownCases, are_free_of_hazards) {
  EXPECT_EQ(first_hazard(stores_to_arrays_that_others_have_yet_to_read()), "");
  EXPECT_EQ(first_hazard(receives_into_an_array_that_is_being_sent()), "");
  EXPECT_EQ(first_hazard(stores_to_placed_arrays_that_others_have_yet_to_read()), "");
}

TEST(KnownCases, are_reported_without_the_waits_that_were_missing) {
  EXPECT_THAT(first_hazard(as_it_was(stores_to_arrays_that_others_have_yet_to_read())),
              testing::AllOf(testing::HasSubstr("of the array of rank"),
                             testing::HasSubstr("neither waits for the other")));
  EXPECT_THAT(first_hazard(as_it_was(receives_into_an_array_that_is_being_sent())),
              testing::AllOf(testing::HasSubstr("collective"),
                             testing::HasSubstr("neither waits for the other")));
  EXPECT_THAT(first_hazard(as_it_was(stores_to_placed_arrays_that_others_have_yet_to_read())),
              testing::AllOf(testing::HasSubstr("of the array of rank"),
                             testing::HasSubstr("neither waits for the other")));
}

}  // namespace weft
