// choose/candidates: what is raced is what makes a difference.

#include "weft/choose/candidates.hpp"

#include <gmock/gmock.h>

#include "weft/making/blueprint.hpp"

using namespace weft;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

// Two nodes of four ranks.
Machine two_nodes() {
  Machine machine;
  machine.ranks = 8;
  machine.node_of_rank = {0, 0, 0, 0, 1, 1, 1, 1};
  return machine;
}

Problem cube(std::int64_t points) {
  Problem problem;
  problem.extents = {points, points, points};
  return validated(problem);
}

Strategy slabs(const std::string& exchange) {
  return parse_strategy("fftw | from 8x1x1 | fft 2,1 | " + exchange + " | fft 0");
}

constexpr std::int64_t one_segment = std::int64_t{1} << 40;

}  // namespace

// 64^3 points of 16 bytes: half of each node's 2 MiB go to the other node, in up to four segments.
// What a hand has written into a file, or another build, whose engines and exchanges differ.
TEST(Candidates, a_strategy_with_what_is_not_there_cannot_run) {
  const auto error_in = [](const std::string& strategy) -> std::string {
    Machine machine;
    machine.ranks = 2;
    machine.node_of_rank = {0, 1};
    machine.threads_of_rank = {1, 1};
    try {
      require_runnable(parse_strategy(strategy), cube(8), machine);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  EXPECT_EQ(error_in("fftw | from 2x1x1 | fft 2,1 by fftw | p2p to 1x2x1 | fft 0"), "no error");
  EXPECT_THAT(error_in("fftw | from 2x1x1 | fft 2,1 by abacus | p2p to 1x2x1 | fft 0"),
              testing::HasSubstr("abacus"));
  EXPECT_THAT(error_in("fftw | from 2x1x1 | fft 2,1 | shred to 1x2x1 | fft 0"),
              testing::HasSubstr("shred"));
  EXPECT_THAT(error_in("fftw | from 2x1x1 | fft 2,1 | shared to 1x2x1 | fft 0"),
              testing::HasSubstr("shared"));
}

TEST(Candidates, other_segments_are_those_that_cut_messages_in_other_ways) {
  const Machine machine = two_nodes();
  EXPECT_THAT(other_segment_sizes(slabs("node to 1x8x1"), cube(64), machine), ElementsAre(1 << 20));
  EXPECT_THAT(other_segment_sizes(slabs("node to 1x8x1 in 8"), cube(64), machine),
              ElementsAre(1 << 12, 1 << 18));
  EXPECT_THAT(other_segment_sizes(slabs("node to 1x8x1"), cube(128), machine),
              ElementsAre(one_segment));
}

TEST(Candidates, there_are_no_other_segments_without_messages_between_nodes_that_share_memory) {
  Machine machine = two_nodes();
  EXPECT_THAT(other_segment_sizes(slabs("p2p to 1x8x1"), cube(64), machine), IsEmpty());
  machine.node_of_rank.assign(8, 0);
  EXPECT_THAT(other_segment_sizes(slabs("shared to 1x8x1"), cube(64), machine), IsEmpty());
  machine.node_of_rank = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_THAT(other_segment_sizes(slabs("node to 1x8x1"), cube(64), machine), IsEmpty());
}

TEST(Candidates, every_chunk_of_other_sizes_is_eager_or_none_is) {
  Machine machine = two_nodes();
  const Strategy cut = slabs("node to 1x8x1 in 4");
  EXPECT_THAT(other_eager_sizes(cut, cube(64), machine), ElementsAre(one_segment));
  EXPECT_THAT(other_eager_sizes(cut, cube(16), machine), ElementsAre(1));
  EXPECT_THAT(other_eager_sizes(slabs("node to 1x8x1"), cube(64), machine), IsEmpty());
  EXPECT_THAT(other_eager_sizes(slabs("p2p to 1x8x1 in 4"), cube(64), machine), IsEmpty());
}

TEST(Candidates, progress_is_tried_where_mpi_moves_something) {
  Machine machine = two_nodes();
  const auto others = [&](const Strategy& strategy, bool allows_thread) {
    return other_progress(strategy, machine, {}, Progress::by_tiles, allows_thread);
  };
  EXPECT_THAT(others(slabs("node to 1x8x1"), false), ElementsAre(Progress::by_calls));
  EXPECT_THAT(others(slabs("p2p to 1x8x1"), true),
              ElementsAre(Progress::by_calls, Progress::by_thread));
  Options in_flight;
  in_flight.in_flight = 2;
  EXPECT_THAT(other_progress(slabs("p2p to 1x8x1"), machine, in_flight, Progress::by_tiles, true),
              ElementsAre(Progress::by_thread));
  machine.node_of_rank.assign(8, 0);
  EXPECT_THAT(others(slabs("shared to 1x8x1"), true), IsEmpty());
  EXPECT_THAT(others(slabs("p2p to 1x8x1"), false), ElementsAre(Progress::by_calls));
  machine = {};
  EXPECT_THAT(others(parse_strategy("fftw | from 1x1x1 | fft 2,1,0"), true), IsEmpty());
}
