// planning/other_walks: passes joined and divided, and axes that move.

#include "weft/planning/other_walks.hpp"

#include <gmock/gmock.h>

#include <string>

using namespace weft;

namespace {

std::vector<std::string> others(const std::string& text) {
  std::vector<std::string> texts;
  for (const Strategy& other : with_other_walks(parse_strategy(text)))
    texts.push_back(to_string(other));
  return texts;
}

}  // namespace

TEST(OtherWalks, join_all_passes_in_a_row_and_part_the_last_axis) {
  EXPECT_THAT(others("weft | from 1x1x1 | fft 2,1,0"),
              testing::ElementsAre("weft | from 1x1x1 | fft 2,1 | fft 0"));
  EXPECT_THAT(others("weft | from 1x1x1 | fft 2,1 | fft 0"),
              testing::ElementsAre(
                  "weft | from 1x1x1 | fft 2,1,0", "weft | from 1x1x1 | fft 2 | fft 1 | fft 0",
                  "weft | from 1x1x1 | fft 1 | fft 0,2", "weft | from 1x1x1 | fft 2,0 | fft 1"));
  EXPECT_THAT(others("weft | from 1x1x1 | fft 2 | fft 1 | fft 0"),
              testing::ElementsAre("weft | from 1x1x1 | fft 2,1,0"));
}

TEST(OtherWalks, of_a_library_join_passes_between_exchanges) {
  const auto whole = [](const std::string& text) {
    return to_string(with_whole_passes(parse_strategy(text), "mkl"));
  };
  EXPECT_EQ(whole("weft | from 1x1x1 | fft 2,1 by fftw cached | fft 0 unprefetched"),
            "weft | from 1x1x1 | fft 2,1,0 by mkl whole");
  EXPECT_EQ(whole("weft | from 2x1x1 | copy | fft 2 | fft 1 | shared to 1x2x1 | fft 0 in rows"),
            "weft | from 2x1x1 | copy | fft 2,1 by mkl whole | shared to 1x2x1 | fft 0 in rows");
  for (const char* text : {"weft | from 1x2 | fft 0 | p2p to 2x1 | fft 1 by fftw",
                           "weft | split 0 as 8x16 | from 1x1 | fft 0 | fft 1"})
    EXPECT_EQ(whole(text), text);
}

TEST(OtherWalks, keep_exchanges_between_passes) {
  EXPECT_THAT(others("weft | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 in 4 | fft 0"),
              testing::ElementsAre("weft | from 2x1x1 | fft 2,1 | p2p to 1x2x1 in 4 | fft 0"));
  EXPECT_THAT(others("weft | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0"),
              testing::ElementsAre("weft | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0",
                                   "weft | from 2x1x1 | fft 1 | p2p to 1x2x1 | fft 0,2",
                                   "weft | from 2x1x1 | fft 2,0 | p2p to 1x2x1 | fft 1"));
}

// What may move is the first axis of the pass that has several: 2 in all of these.
TEST(OtherWalks, move_the_contiguous_axis) {
  const std::string last = "weft | from 3x1x1 | fft 1 | p2p to 1x3x1 | fft 0,2";
  EXPECT_THAT(others("weft | from 3x1x1 | fft 2,1 | p2p to 1x3x1 | fft 0"),
              testing::Contains(last));
  EXPECT_THAT(others("weft | from 3x1x1 | fft 1 | p2p to 1x3x1 | fft 2,0"),
              testing::ElementsAre("weft | from 3x1x1 | fft 1 | p2p to 1x3x1 | fft 2 | fft 0", last,
                                   "weft | from 3x1x1 | fft 2,1 | p2p to 1x3x1 | fft 0"));
}

// Only the first pair of passes that has three axes changes.
TEST(OtherWalks, move_axes_between_two_passes_only) {
  EXPECT_THAT(others("weft | from 2x2x1x1 | fft 3 | p2p to 2x1x1x2 | fft 2,1 | p2p to 1x1x2x2 | "
                     "fft 0"),
              testing::ElementsAre("weft | from 2x2x1x1 | fft 3 | p2p to 2x1x1x2 | fft 2 | fft 1 "
                                   "| p2p to 1x1x2x2 | fft 0",
                                   "weft | from 2x2x1x1 | fft 3 | p2p to 2x1x1x2 | fft 1,2 | p2p "
                                   "to 1x1x2x2 | fft 0",
                                   "weft | from 2x2x1x1 | fft 2,3 | p2p to 2x1x1x2 | fft 1 | p2p "
                                   "to 1x1x2x2 | fft 0"));
}

// Copies into another layout stay, new passes have no choices, and those that stay keep theirs.
TEST(OtherWalks, keep_copies_and_the_choices_of_other_passes) {
  EXPECT_THAT(others("weft | from 1x1 | fft 1 in columns streamed | fft 0 cached"),
              testing::ElementsAre("weft | from 1x1 | fft 1,0"));
  EXPECT_THAT(
      others("weft | from 2x1x1 | fft 2,1 streamed | p2p to 1x2x1 | fft 0 cached"),
      testing::ElementsAre("weft | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0 cached",
                           "weft | from 2x1x1 | fft 1 | p2p to 1x2x1 | fft 0,2",
                           "weft | from 2x1x1 | fft 2,0 | p2p to 1x2x1 | fft 1"));
  Strategy copies = parse_strategy("weft | from 1x1 | fft 1 | fft 0");
  copies.stages.insert(copies.stages.begin() + 1, PassStage{});
  EXPECT_TRUE(with_other_walks(copies).empty());
}

TEST(OtherWalks, leave_split_axes_alone) {
  Strategy split = parse_strategy("weft | from 1x1 | fft 1 | fft 0");
  split.split = AxisSplit{};
  EXPECT_TRUE(with_other_walks(split).empty());
}
