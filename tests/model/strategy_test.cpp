// model/strategy: print and parse.

#include "weft/model/strategy.hpp"

#include <gtest/gtest.h>

using namespace weft;

TEST(Strategy, prints_and_parses) {
  for (const char* text :
       {"fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0",
        "mkl | split 0 as 32x64 | from input | copy | alltoallv to 1x4 | fft 0 | alltoallv to 4x1 "
        "| fft 1 | alltoallw to output | copy",
        "fftw | from input"})
    EXPECT_EQ(to_string(parse_strategy(text)), text);
}

TEST(Strategy, what_is_not_one_is_refused_with_the_part) {
  for (const char* text : {"", "fftw", "fftw | fft 1", "fftw | from", "fftw | from 2x | fft 0",
                           "fftw | from 2x1 | fft a", "fftw | from 2x1 | p2p at 1x2",
                           "fftw | from 2x1 | nonsense", "fftw | split 0 as 3 | from 2x1"})
    EXPECT_THROW(parse_strategy(text), Error) << text;
  try {
    parse_strategy("fftw | from 2x1 | dance 3 | fft 0");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "'dance 3' is not a part of a strategy");
  }
}
