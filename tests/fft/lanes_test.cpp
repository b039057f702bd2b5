// fft/lanes/lanes: on which processors, and for which columns, lanes are the rule.

#include "weft/fft/lanes/lanes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "weft/fft/engine.hpp"
#include "weft/fft/processor_family.hpp"

using namespace weft;

namespace {

// What was pretended ends with this.
struct Pretence {
  explicit Pretence(VectorSet most) { pretend_at_most(most); }
  ~Pretence() { pretend_at_most(VectorSet::avx512); }
};

bool can_pretend_avx2() {
  const Pretence pretence(VectorSet::avx2);
  return !no_lanes(256);
}

}  // namespace

TEST(Lanes, of_256_bits_are_usual_with_avx2) {
  if (!can_pretend_avx2()) GTEST_SKIP() << *no_lanes(256);
  const Pretence pretence(VectorSet::avx2);
  EXPECT_EQ(usual_lane_width(), 256);
  if (std::getenv("WEFT_TEST_ENGINE") == nullptr) {
    EXPECT_EQ(find_engine("").name, "weft");
  }
}

TEST(Lanes, are_not_usual_without_wide_vectors) {
  const Pretence pretence(VectorSet::baseline);
  EXPECT_EQ(usual_lane_width(), 0);
  EXPECT_NE(find_engine("").name, "weft");
  EXPECT_TRUE(no_lanes(256));
  EXPECT_TRUE(no_lanes(512));
}

// Also those for which FFTW has a single step.
TEST(Lanes, of_avx2_take_columns_of_32_and_64_points) {
  if (!can_pretend_avx2()) GTEST_SKIP() << *no_lanes(256);
  const Pretence pretence(VectorSet::avx2);
  for (const std::int64_t n : {24, 32, 48, 60, 64, 96, 128}) {
    EXPECT_TRUE(are_lanes_worthwhile(n, 256)) << n;
    EXPECT_TRUE(find_engine("weft").make()->keeps_columns(n)) << n;
  }
}

// Contiguous lines, but those for which FFTW has a single step.
TEST(Lanes, of_avx2_take_contiguous_lines_by_adjacent_points) {
  if (!can_pretend_avx2()) GTEST_SKIP() << *no_lanes(256);
  const Pretence pretence(VectorSet::avx2);
  const auto takes = [](std::int64_t n, LineKind kind = LineKind::c2c) {
    Lines lines;
    lines.kind = kind;
    lines.n = n;
    lines.loops = {{17, n + 4, n + 4}};
    return make_lanes(lines, 256) != nullptr;
  };
  for (const std::int64_t n : {24, 96, 100, 128, 200, 256, 1024, 4096}) EXPECT_TRUE(takes(n)) << n;
  for (const std::int64_t n : {12, 16, 20, 30, 32, 50, 64}) EXPECT_FALSE(takes(n)) << n;
  // Real lines: several at a time.
  for (const std::int64_t n : {24, 27, 64, 75, 256, 768}) EXPECT_TRUE(takes(n, LineKind::r2c)) << n;
  EXPECT_FALSE(takes(1024, LineKind::r2c));
}

TEST(Lanes, take_neither_short_columns_nor_factors_of_libraries_nor_what_exceeds_their_buffers) {
  for (const int bits : lane_widths()) {
    for (const std::int64_t n : {0, 1, 2, 16, 17, 20, 77, 98, 169, 16411, 131072, 1000003})
      EXPECT_FALSE(are_lanes_worthwhile(n, bits)) << n << " points, " << bits << " bits";
    EXPECT_TRUE(are_lanes_worthwhile(240, bits));
  }
}

// Rows from one tile to another, as contiguous lines are: strided on both sides.
TEST(Lanes, take_rows_of_lengths_at_which_fftw_is_slow) {
  const auto takes = [](std::int64_t n, Precision precision, int bits, std::int64_t rows = 17) {
    Lines lines;
    lines.n = n;
    lines.precision = precision;
    lines.loops = {{rows, n + 4, n + 4}};
    return make_lanes(lines, bits) != nullptr;
  };
  constexpr auto full = Precision::double_precision, single = Precision::single_precision;
  for (const int bits : lane_widths()) {
    if (no_lanes(bits)) continue;
    for (const std::int64_t n : {27, 45, 75, 225}) {
      EXPECT_EQ(takes(n, full, bits), bits > 128) << n << " " << bits;
      EXPECT_TRUE(takes(n, single, bits)) << n << " " << bits;
      // However many there are, so that their last bits do not depend on tiles.
      EXPECT_EQ(takes(n, full, bits, 1), bits > 128) << n << " " << bits;
    }
    for (const std::int64_t n : {21, 25, 30, 50, 150})
      EXPECT_FALSE(takes(n, full, bits)) << n << " " << bits;
    for (const std::int64_t n : {30, 50, 150})
      EXPECT_EQ(takes(n, single, bits), bits > 128) << n << " " << bits;
    for (const std::int64_t n : {32, 40}) EXPECT_FALSE(takes(n, single, bits)) << n;
    for (const std::int64_t n : {243, 250, 1000}) {
      EXPECT_EQ(takes(n, full, bits), bits > 128) << n << " " << bits;
      EXPECT_TRUE(takes(n, single, bits)) << n << " " << bits;
    }
  }
}

// Narrow ones only where the convolution is not longer than the line.
TEST(Lanes, take_columns_of_lengths_with_larger_primes) {
  for (const std::int64_t n : {31, 37, 101, 127, 257, 1153})
    for (const int bits : lane_widths()) EXPECT_TRUE(are_lanes_worthwhile(n, bits)) << n;
  for (const std::int64_t n : {19, 23, 34, 51, 263, 299, 1021}) {
    EXPECT_TRUE(are_lanes_worthwhile(n, 512)) << n;
    EXPECT_TRUE(are_lanes_worthwhile(n, 256)) << n;
    EXPECT_FALSE(are_lanes_worthwhile(n, 128)) << n;
  }
  EXPECT_FALSE(are_lanes_worthwhile(37, 512, Basis::dct1));
  EXPECT_FALSE(are_lanes_worthwhile(74, 512, Basis::dct2));
}
