// planning/chunks: the number of chunks that is chosen for an exchange.

#include "weft/planning/chunks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;

namespace {

std::string cut(const std::string& strategy, const Extents& extents, int ranks, int chunks = 0,
                const Speeds& speeds = {}) {
  Problem problem;
  problem.extents = extents;
  Machine machine{ranks, {}};
  machine.speeds = speeds;
  return to_string(chunked(parse_strategy(strategy), validated(problem),
                           CostPredictor::here(machine), {"p2p"}, chunks));
}

// A message has a latency that does not count, as others are under way meanwhile.
Speeds with_links(double walked, double of_node, double overhead_seconds) {
  Speeds speeds{walked, of_node, 1e-3};
  speeds.message_overhead_seconds = overhead_seconds;
  return speeds;
}

const std::string slabs = "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 | fft 0";
const std::string pencils =
    "fftw | from 8x8x1 | fft 2 | p2p to 8x1x8 | fft 1 | p2p to 1x8x8 | fft 0";

}  // namespace

TEST(Chunks, number_is_the_root_of_a_message_in_units_of_4_KiB) {
  // Two ranks exchange 192^3 * 16 / 64 / 8 = 221184 bytes of pencils, 54 * 4 KiB.
  EXPECT_EQ(cut(pencils, {192, 192, 192}, 64),
            "fftw | from 8x8x1 | fft 2 | p2p to 8x1x8 in 7 | fft 1 | p2p to 1x8x8 in 7 | fft 0");
  // 192^3 * 16 / 64 = 1769472 bytes of slabs, 432 * 4 KiB; 20 messages of 88 KB.
  EXPECT_EQ(cut(slabs, {192, 192, 192}, 8),
            "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 20 | fft 0");
}

TEST(Chunks, are_not_smaller_than_64_KiB_where_their_order_matters) {
  // 524288 bytes: the root says 11, which would be 47 KB each.
  EXPECT_EQ(cut(slabs, {128, 128, 128}, 8),
            "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 8 | fft 0");
  // Only the second exchange of the pencils is cut along two axes: 746496 bytes.
  EXPECT_EQ(cut(pencils, {288, 288, 288}, 64),
            "fftw | from 8x8x1 | fft 2 | p2p to 8x1x8 in 13 | fft 1 | p2p to 1x8x8 in 11 | fft 0");
}

TEST(Chunks, number_is_the_root_where_messages_are_too_small_to_keep_an_order) {
  // 221184 bytes: 3 chunks of 64 KiB at most, fewer than 2 x 2.
  EXPECT_EQ(cut(slabs, {96, 96, 96}, 8), "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 7 | fft 0");
}

TEST(Chunks, number_is_the_root_in_units_of_what_a_message_costs_where_that_is_measured) {
  // 2 us at 10 GB/s: 20 kB. 1769472 bytes are 88 of these.
  EXPECT_EQ(cut(slabs, {192, 192, 192}, 8, 0, with_links(1e10, 1e10, 2e-6)),
            "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 9 | fft 0");
  // 0.1 us: no more chunks than by rule. Nor with links that were not measured.
  for (const Speeds& speeds : {with_links(1e10, 1e10, 1e-7), with_links(1e10, 0, 0)})
    EXPECT_EQ(cut(slabs, {192, 192, 192}, 8, 0, speeds), cut(slabs, {192, 192, 192}, 8));
}

TEST(Chunks, have_rows_of_256_bytes_and_more_or_of_64_where_links_are_slow) {
  // 3145728 bytes: the root says 27, with rows of 1 or 2 points of the 48. The second exchange is
  // cut in 5 parts along this axis, and in 5 along another one.
  const std::string natural =
      "fftw | from 8x1x1 | fft 1 | p2p to 1x8x1{} | fft 0 | p2p to 8x1x1{} | fft 2";
  EXPECT_EQ(cut(fmt::format(fmt::runtime(natural), "", ""), {512, 512, 48}, 8),
            fmt::format(fmt::runtime(natural), " in 3", " in 27"));
  for (const auto& [walked, first] : {std::pair{74e8, " in 3"}, std::pair{76e8, " in 12"}})
    EXPECT_EQ(cut(fmt::format(fmt::runtime(natural), "", ""), {512, 512, 48}, 8, 0,
                  with_links(walked, 1e8, 1e-7)),
              fmt::format(fmt::runtime(natural), first, " in 27"));
  // 7 points are 112 bytes.
  EXPECT_EQ(cut(fmt::format(fmt::runtime(natural), "", ""), {512, 512, 7}, 8),
            fmt::format(fmt::runtime(natural), "", " in 7"));
}

TEST(Chunks, number_is_what_the_user_asks_for) {
  EXPECT_EQ(cut(slabs, {128, 128, 128}, 8, 100),
            "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 100 | fft 0");
  EXPECT_EQ(cut(slabs, {128, 128, 128}, 8, 1), slabs);
}
