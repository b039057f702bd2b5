// fft/lanes/convolution: Rader's and Bluestein's permutations, factors and spectra.

#include "weft/fft/lanes/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "weft/base/ensure.hpp"
#include "weft/base/prime_factors.hpp"
#include "weft/fft/lanes/radices.hpp"

namespace weft {

namespace {

using Number = Convolution::Number;

// exp(i pi part / whole)
Number turn(std::int64_t part, std::int64_t whole) {
  const long double angle = std::numbers::pi_v<long double> *
                            static_cast<long double>(part % (2 * whole)) /
                            static_cast<long double>(whole);
  return {std::cos(angle), std::sin(angle)};
}

std::int64_t power(std::int64_t base, std::int64_t exponent, std::int64_t modulus) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % modulus)
    if (exponent % 2 != 0) result = result * base % modulus;
  return result;
}

// The least number whose powers are all numbers from 1 to p-1 modulo the prime p.
std::int64_t generator_of(std::int64_t p) {
  const std::vector<std::int64_t> factors = prime_factors(p - 1);
  for (std::int64_t g = 2;; ++g)
    if (std::none_of(factors.begin(), factors.end(),
                     [&](std::int64_t factor) { return power(g, (p - 1) / factor, p) == 1; }))
      return g;
}

// The forward transform of the `stride`-th numbers from `first` on, by its prime factors; `roots`
// are exp(-2 pi i k / x.size()).
std::vector<Number> transform(const std::vector<Number>& x, const std::vector<Number>& roots,
                              std::size_t first = 0, std::size_t stride = 1) {
  const std::size_t n = x.size() / stride;
  if (n == 1) return {x[first]};
  const auto factor = static_cast<std::size_t>(prime_factors(static_cast<std::int64_t>(n)).front());
  std::vector<Number> y(n);
  for (std::size_t f = 0; f < factor; ++f) {
    const std::vector<Number> part = transform(x, roots, first + f * stride, stride * factor);
    for (std::size_t k = 0; k < n; ++k) y[k] += roots[f * k % n * stride] * part[k % part.size()];
  }
  return y;
}

// The transform of what is convolved with, divided by its length.
std::vector<Number> spectrum_of(const std::vector<Number>& other) {
  const auto n = static_cast<std::int64_t>(other.size());
  std::vector<Number> roots;
  for (std::int64_t k = 0; k < n; ++k) roots.push_back(std::conj(turn(2 * k, n)));
  std::vector<Number> spectrum = transform(other, roots);
  for (Number& number : spectrum) number /= static_cast<long double>(n);
  return spectrum;
}

// Transforms in lanes have at least two steps.
constexpr std::size_t fewest_steps = 2;

bool has_rader(std::int64_t n) { return is_prime(n) && radices_of(n - 1).size() >= fewest_steps; }

bool has_small_factors_only(std::int64_t n) {
  for (const int factor : {2, 3, 5, 7})
    while (n % factor == 0) n /= factor;
  return n == 1;
}

// The cheapest length from `least` on that weft's own steps transform. At multiples of 512 points,
// the points of a butterfly share cache sets: 1021 points take 4.1 ns each by 2160, and 6.5 by
// 2048, on an AMD EPYC (Zen 5).
std::int64_t cheapest_length(std::int64_t least) {
  constexpr std::int64_t shared_sets = 512;
  std::int64_t best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  for (std::int64_t n = least; n < 2 * least; ++n) {
    if (n % shared_sets == 0) continue;
    if (!has_small_factors_only(n)) continue;  // before radices_of(), which takes longer
    const std::vector<int> steps = radices_of(n);
    if (steps.size() < fewest_steps) continue;
    double cost = 0;
    for (const int step : steps)
      cost += std::find_if(radices.begin(), radices.end(), [&](const Radix& radix) {
                return radix.points == step;
              })->cost;
    cost *= static_cast<double>(n);
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = n;
  }
  return best;
}

}  // namespace

Convolution::Convolution() = default;
Convolution::Convolution(Convolution&& other) noexcept = default;
Convolution& Convolution::operator=(Convolution&& other) noexcept = default;
Convolution::~Convolution() = default;

Convolution raders_convolution(std::int64_t p) {
  const std::int64_t g = generator_of(p), back = power(g, p - 2, p);
  Convolution made;
  made.is_without_first = true;
  std::vector<Number> other;
  std::int64_t in = 1, out = 1;
  for (std::int64_t q = 0; q + 1 < p; ++q) {
    made.in_points.push_back(static_cast<std::int32_t>(in));
    made.out_points.push_back(static_cast<std::int32_t>(out));
    other.push_back(std::conj(turn(2 * out, p)));
    in = in * g % p;
    out = out * back % p;
  }
  made.spectrum = spectrum_of(other);
  return made;
}

Convolution bluesteins_convolution(std::int64_t n, std::int64_t length) {
  Convolution made;
  std::vector<Number> other(static_cast<std::size_t>(length));
  for (std::int64_t j = 0; j < n; ++j) {
    const Number chirp = turn(j * j, n);
    made.in_points.push_back(static_cast<std::int32_t>(j));
    made.in_factors.push_back(std::conj(chirp));
    other[static_cast<std::size_t>(j)] = chirp;
    other[static_cast<std::size_t>(j == 0 ? 0 : length - j)] = chirp;
  }
  made.out_points = made.in_points;
  made.out_factors = made.in_factors;
  made.spectrum = spectrum_of(other);
  return made;
}

std::int64_t convolution_length(std::int64_t n) {
  if (n < 3 || !radices_of(n).empty()) return 0;
  return has_rader(n) ? n - 1 : cheapest_length(2 * n - 1);
}

Convolution convolution_of(std::int64_t n) {
  const std::int64_t length = convolution_length(n);
  ensure(length > 0, n);
  return has_rader(n) ? raders_convolution(n) : bluesteins_convolution(n, length);
}

}  // namespace weft
