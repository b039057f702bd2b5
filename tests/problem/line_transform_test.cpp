// problem/line_transform: fast lengths by trying all, factors of norms, and texts.

#include "weft/problem/line_transform.hpp"

#include <gtest/gtest.h>

#include "weft/error.hpp"
#include "weft/problem/problem_text.hpp"
#include "weft/problem/validated.hpp"

using namespace weft;

namespace {

bool is_fast(std::int64_t n) {
  if (n < 1) return false;
  for (const int prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

}  // namespace

TEST(FastLength, is_the_next_one) {
  for (std::int64_t n = 1; n < 3000; ++n) {
    std::int64_t fast = n, closed = std::max<std::int64_t>(n, 2), open = n;
    while (!is_fast(fast)) ++fast;
    while (!is_fast(closed - 1)) ++closed;
    while (!is_fast(open + 1)) ++open;
    EXPECT_EQ(next_fast_length(n), fast) << n;
    EXPECT_EQ(next_fast_length(n, Basis::dct2), fast) << n;
    EXPECT_EQ(next_fast_length(n, Basis::dct1), closed) << n;
    EXPECT_EQ(next_fast_length(n, Basis::chebyshev), closed) << n;
    EXPECT_EQ(next_fast_length(n, Basis::dst1), open) << n;
  }
  const std::int64_t largest = std::int64_t{1} << 56;
  EXPECT_EQ(next_fast_length(largest), largest);
  EXPECT_EQ(next_fast_length(largest - 1), largest);
  for (const std::int64_t wrong : {std::int64_t{0}, std::int64_t{-5}, largest + 1})
    EXPECT_THROW(static_cast<void>(next_fast_length(wrong)), Error) << wrong;
}

// Round trips without norm: 2n, 2(n-1) and 2(n+1) for each line.
TEST(NormFactor, counts_what_a_round_trip_multiplies_by) {
  Problem problem;
  problem.kind = Kind::r2c;
  problem.extents = {5, 6, 7, 8};
  problem.bases = {Basis::dct1, Basis::dst1, Basis::dct2, Basis::fourier};
  problem = validated(problem);
  const double all = 8.0 * 14 * 14 * 8;
  EXPECT_DOUBLE_EQ(norm_factor(problem, true), 1);
  EXPECT_DOUBLE_EQ(norm_factor(problem, false), 1 / all);
  problem.norm = Norm::ortho;
  EXPECT_DOUBLE_EQ(norm_factor(problem, true), 1 / std::sqrt(all));
  // Chebyshev coefficients do not depend on the norm.
  problem.bases[0] = Basis::chebyshev;
  EXPECT_DOUBLE_EQ(norm_factor(problem, true), 1 / 4.0 / std::sqrt(all / 8));
  EXPECT_DOUBLE_EQ(norm_factor(problem, false), 0.5 / std::sqrt(all / 8));
}

TEST(HalfAxis, is_the_last_fourier_axis_named) {
  Problem problem;
  problem.kind = Kind::r2c;
  problem.extents = {5, 6, 7};
  problem.bases = {Basis::fourier, Basis::fourier, Basis::dct2};
  EXPECT_EQ(half_axis(validated(problem)), 1);
  problem.axes = {2, 1, 0};
  EXPECT_EQ(half_axis(validated(problem)), 0);
}

TEST(KindText, is_short_where_that_says_all) {
  Problem problem;
  problem.extents = {4, 4};
  EXPECT_EQ(kind_text(problem), "c2c");
  problem.bases = {Basis::dct2, Basis::fourier};
  EXPECT_EQ(kind_text(problem), "c2c of dct2,fourier");
  problem.kind = Kind::r2r;
  problem.bases = {Basis::dst4, Basis::dst4};
  EXPECT_EQ(kind_text(problem), "dst4");
}
