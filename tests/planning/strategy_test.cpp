// planning/strategy: print and parse.

#include "weft/planning/strategy.hpp"

#include <gtest/gtest.h>

using namespace weft;

TEST(Strategy, prints_and_parses) {
  for (const char* text :
       {"fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0",
        "mkl | split 0 as 32x64 | from input | copy | alltoallv to 1x4 | fft 0 | alltoallv to 4x1 "
        "| fft 1 | alltoallw to output | copy",
        "fftw | from 4x2x1 on 0-3,0-3 | fft 2 | p2p to 4x1x2 on 3,1,2,0,3,1,2,0 in 4 | fft 1",
        "mkl | split 0 as 32x64 | from input on 1-3 | copy | p2p to 1x4 on 2,2,3,3 | fft 0 | "
        "alltoallw to output on 5,4",
        "fftw | from input",
        "weft | from 2x1x1 | fft 2,1 by mkl,weft in columns streamed unprefetched | p2p to 1x2x1 | "
        "fft 0 by fftw in rows cached prefetched | copy streamed",
        "weft | from 2x1x1 | fft 2,1 prefetched direct-loads buffered-stores | p2p to 1x2x1 | fft "
        "0 "
        "buffered-loads direct-stores",
        "weft | from 1x1x1 | fft 2,1,0 by mkl whole", "weft | from 1x1x1 | fft 2,1 tiled | fft 0"})
    EXPECT_EQ(to_string(parse_strategy(text)), text);
}

TEST(Strategy, ranges_and_lists_of_ranks_are_the_same) {
  EXPECT_EQ(parse_strategy("fftw | from 3x1 on 4-6 | fft 1"),
            parse_strategy("fftw | from 3x1 on 4,5,6 | fft 1"));
  EXPECT_EQ(parse_strategy("fftw | from 3x1 on 0-2 | fft 1"),
            parse_strategy("fftw | from 3x1 | fft 1"));
}

TEST(Strategy, text_that_cannot_be_parsed_is_refused_with_the_part) {
  for (const char* text : {"",
                           "fftw",
                           "fftw | fft 1",
                           "fftw | from",
                           "fftw | from 2x | fft 0",
                           "fftw | from 2x1 | fft a",
                           "fftw | from 2x1 | p2p at 1x2",
                           "fftw | from 2x1 | nonsense",
                           "fftw | from 2x1 on | fft 0",
                           "fftw | from 2x1 on 0,b | fft 0",
                           "fftw | from 2x1 on 0,1 2 | fft 0",
                           "fftw | from 2x1 | p2p to 1x2 on 1,0 in",
                           "fftw | from 2x1 | p2p to",
                           "fftw | from 2x1 | p2p to 1x2 in 2 on 1,0",
                           "fftw | from 2x1 | copy on 1",
                           "fftw | split 0 as 3 | from 2x1",
                           "fftw | from 2x1 | fft 1,0 by a,b,c",
                           "fftw | from 2x1 | fft 1 by",
                           "fftw | from 2x1 | fft 1 by a,",
                           "fftw | from 2x1 | fft 1 in lines",
                           "fftw | from 2x1 | fft 1 in",
                           "fftw | from 2x1 | fft 1 streamed cached",
                           "fftw | from 2x1 | fft 1 direct-loads buffered-loads",
                           "fftw | from 2x1 | fft 1 direct",
                           "fftw | from 2x1 | fft 1 whole tiled",
                           "fftw | from 2x1 | fft 1 by a by b"})
    EXPECT_THROW(parse_strategy(text), Error) << text;
  try {
    parse_strategy("fftw | from 2x1 | dance 3 | fft 0");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "'dance 3' is not a part of a strategy");
  }
}

TEST(Strategy, text_that_would_take_all_memory_is_refused) {
  const auto error_of_stages = [](int stages, const std::string& stage) {
    std::string text = "weft | from 1x1";
    for (int i = 0; i < stages; ++i) text += " | " + stage;
    try {
      parse_strategy(text);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of_stages(100, "copy"), "no error");
  for (const int stages : {101, 1'000'000})
    EXPECT_EQ(error_of_stages(stages, "copy"), "a strategy has more than 100 stages");
  EXPECT_EQ(error_of_stages(3, "p2p to 1x1 on 0-8388607"),
            "a strategy has more than 16777216 ranks in its lists");
}

TEST(Strategy, text_of_a_megabyte_is_told_in_a_few_lines) {
  for (const std::string& text :
       {std::string(1 << 20, 'x') + " y", "weft | from 1x1 | \x1b" + std::string(1 << 20, 'y'),
        "weft | from " + std::string(1 << 20, '1')}) {
    try {
      parse_strategy(text);
      FAIL() << "it is no strategy";
    } catch (const Error& error) {
      EXPECT_LT(std::string(error.what()).size(), 3000U);
      EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
    }
  }
}
