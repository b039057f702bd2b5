// fft/mkl_choice: the lengths that the engines of weft's own leave to oneMKL.

#include <gtest/gtest.h>

#include "weft/fft/mkl_accuracy.hpp"

using namespace weft;

TEST(MklChoice, is_best_at_primes_from_a_hundred_on) {
  for (const int n : {101, 103, 251, 257, 263, 10007}) {
    EXPECT_TRUE(is_mkl_best(n)) << n;
    EXPECT_FALSE(is_mkl_inaccurate(n, Precision::double_precision)) << n;
  }
  for (const int n : {1, 2, 13, 17, 97, 100, 128, 11 * 23, 251 * 2, 101 * 103})
    EXPECT_FALSE(is_mkl_best(n)) << n;
}
