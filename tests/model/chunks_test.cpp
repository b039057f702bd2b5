// model/chunks: the number of chunks that is chosen for an exchange.

#include "weft/model/chunks.hpp"

#include <gtest/gtest.h>

using namespace weft;

namespace {

std::string cut(const std::string& strategy, const Extents& extents, int ranks,
                const ChunkRule& rule = {}) {
  Problem problem;
  problem.extents = extents;
  return to_string(
      chunked(parse_strategy(strategy), validated(problem), {ranks, {}}, {"p2p"}, rule));
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
  // Of the pencils' exchanges the second alone is cut along two axes: 746496 bytes.
  EXPECT_EQ(cut(pencils, {288, 288, 288}, 64),
            "fftw | from 8x8x1 | fft 2 | p2p to 8x1x8 in 13 | fft 1 | p2p to 1x8x8 in 11 | fft 0");
}

TEST(Chunks, number_is_the_root_where_messages_are_too_small_to_keep_an_order) {
  // 221184 bytes: 3 chunks of 64 KiB at most, fewer than 2 x 2.
  EXPECT_EQ(cut(slabs, {96, 96, 96}, 8), "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 7 | fft 0");
}

TEST(Chunks, number_is_what_the_user_asks_for) {
  ChunkRule rule;
  rule.chunks = 100;
  EXPECT_EQ(cut(slabs, {128, 128, 128}, 8, rule),
            "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 in 100 | fft 0");
  rule.chunks = 1;
  EXPECT_EQ(cut(slabs, {128, 128, 128}, 8, rule), slabs);
}
