// fft/lanes/convolution: the tables, by direct sums in long double.

#include "weft/fft/lanes/convolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weft/base/prime_factors.hpp"
#include "weft/fft/lanes/radices.hpp"

using namespace weft;

namespace {

using Number = Convolution::Number;

std::vector<Number> direct(const std::vector<Number>& x, int sign) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<Number> y(x.size());
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j) {
      const long double angle = 2 * std::numbers::pi_v<long double> *
                                static_cast<long double>(sign * (j * k % n)) /
                                static_cast<long double>(n);
      y[static_cast<std::size_t>(k)] +=
          x[static_cast<std::size_t>(j)] * Number(std::cos(angle), std::sin(angle));
    }
  return y;
}

Number factor(const std::vector<Number>& factors, std::size_t i) {
  return factors.empty() ? Number(1) : factors[i];
}

// The transform of `x` as the description of Convolution says.
std::vector<Number> convolved(const Convolution& by, const std::vector<Number>& x) {
  std::vector<Number> z(by.spectrum.size()), y(x.size());
  for (std::size_t i = 0; i < by.in_points.size(); ++i)
    z[i] = x.at(static_cast<std::size_t>(by.in_points[i])) * factor(by.in_factors, i);
  z = direct(z, -1);
  const Number all = z[0];
  for (std::size_t i = 0; i < z.size(); ++i) z[i] *= by.spectrum[i];
  z = direct(z, 1);
  for (std::size_t i = 0; i < by.out_points.size(); ++i)
    y.at(static_cast<std::size_t>(by.out_points[i])) = z[i] * factor(by.out_factors, i);
  if (!by.is_without_first) return y;
  for (Number& number : y) number += x[0];
  y[0] = x[0] + all;
  return y;
}

}  // namespace

TEST(Convolution, is_the_transform) {
  for (const std::int64_t n :
       {11, 13, 14, 17, 19, 22, 23, 31, 34, 37, 43, 61, 97, 101, 121, 127, 257}) {
    std::vector<Number> x;
    for (std::int64_t j = 0; j < n; ++j)
      x.emplace_back(static_cast<long double>(j * j % 17) - 8, static_cast<long double>(j % 5) - 2);
    const Convolution made = convolution_of(n);
    EXPECT_EQ(made.length(), convolution_length(n)) << n;
    const std::vector<Number> y = convolved(made, x), expected = direct(x, -1);
    for (std::size_t k = 0; k < x.size(); ++k) ASSERT_LT(std::abs(y[k] - expected[k]), 1e-15L) << n;
  }
}

TEST(Convolution, is_one_less_than_a_prime_where_steps_allow_and_else_twice_as_long) {
  for (const std::int64_t p : {19, 29, 31, 37, 43, 61, 97, 101, 127, 251, 257, 401, 541, 769, 1153})
    EXPECT_EQ(convolution_length(p), p - 1);
  for (const std::int64_t n : {1, 2, 7, 24, 30, 49, 243, 256, 1000})
    EXPECT_EQ(convolution_length(n), 0);
  // 16 points are a single step, and 22 and 262 have other factors.
  for (const std::int64_t n : {11, 14, 17, 23, 34, 121, 187, 257 * 2, 263, 1021}) {
    const std::int64_t length = convolution_length(n);
    EXPECT_GE(length, 2 * n - 1) << n;
    EXPECT_LT(length, 4 * n) << n;
  }
  for (std::int64_t n = 3; n < 3000; ++n)
    if (const std::int64_t length = convolution_length(n); length > 0) {
      EXPECT_GE(radices_of(length).size(), 2U) << n;
      EXPECT_TRUE(length % 512 != 0 || length == n - 1) << n;
    }
}

TEST(PrimeFactors, multiply_to_the_number_and_are_prime) {
  EXPECT_TRUE(prime_factors(1).empty());
  for (std::int64_t n = 2; n < 2000; ++n) {
    std::int64_t product = 1;
    const std::vector<std::int64_t> factors = prime_factors(n);
    EXPECT_TRUE(std::is_sorted(factors.begin(), factors.end()));
    for (const std::int64_t factor : factors) {
      EXPECT_TRUE(is_prime(factor)) << factor;
      product *= factor;
    }
    EXPECT_EQ(product, n);
    EXPECT_EQ(is_prime(n), factors.size() == 1) << n;
  }
  EXPECT_FALSE(is_prime(1));
}
