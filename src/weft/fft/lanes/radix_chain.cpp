// fft/lanes/radix_chain: the factors of radix steps, and the order in which the last one stores.

#include "weft/fft/lanes/radix_chain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weft/base/ensure.hpp"
#include "weft/fft/lanes/radices.hpp"

namespace weft {

std::int64_t prefetches_of(int radix, std::size_t steps, std::int64_t vector_bytes) {
  constexpr std::int64_t line_bytes = 64;
  const std::int64_t all = static_cast<std::int64_t>(steps) * line_bytes;
  return (2 * vector_bytes * radix + all - 1) / all;
}

template <class Real>
std::pair<Real, Real> root(std::int64_t power, std::int64_t length) {
  const long double angle = -2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(power % length) /
                            static_cast<long double>(length);
  return {static_cast<Real>(std::cos(angle)), static_cast<Real>(std::sin(angle))};
}
template std::pair<float, float> root(std::int64_t, std::int64_t);
template std::pair<double, double> root(std::int64_t, std::int64_t);

template <class Real>
RadixChain<Real>::RadixChain(std::int64_t n, bool is_forward, const std::vector<int>& all,
                             Place place)
    : order{0}, spacing(place.below * (n / all.back())) {
  ensure(all.back() >= shortest_last_radix &&
             (all.size() == 1 || all[all.size() - 2] <= longest_early_radix),
         n);
  std::vector<std::size_t> begins;
  std::int64_t blocks = 1;
  for (const int radix : all) {
    const std::int64_t length = n / blocks, groups = length / radix;
    begins.push_back(factors.size());
    steps.push_back({radix, std::max<std::int64_t>(1, blocks / place.lines), groups, groups,
                     prefetches_of(radix, place.steps, place.vector_bytes), nullptr});
    for (std::int64_t p = 0; groups > 1 && p < groups; ++p)
      for (int k = 1; k < radix; ++k) {
        const auto [re, im] = root<Real>(p * k, length);
        factors.push_back(re);
        factors.push_back(im);
      }
    if (groups > 1) extend_order(place.below * blocks, radix);
    blocks *= radix;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].factors = factors.data() + begins[i];
  if (!is_forward) reverse(place.below * n);
}

template <class Real>
RadixChain<Real>::~RadixChain() = default;

template <class Real>
void RadixChain<Real>::scale_first(Real factor) {
  const std::int64_t count = 2 * steps.front().groups * (steps.front().radix - 1);
  for (std::int64_t i = 0; i < count; ++i) factors[static_cast<std::size_t>(i)] *= factor;
  steps.front().scale = factor;
  steps.front().is_scaled = true;
}

// The earlier a step, the lower is its digit of the frequency.
template <class Real>
void RadixChain<Real>::extend_order(std::int64_t below, int radix) {
  std::vector<std::int32_t> longer;
  for (const std::int32_t first : order)
    for (int k = 0; k < radix; ++k) longer.push_back(first + static_cast<std::int32_t>(k * below));
  order = std::move(longer);
}

// The inverse of these steps has at frequency f what they have at n-f; both are multiples of the
// frequencies of steps before, which are added.
template <class Real>
void RadixChain<Real>::reverse(std::int64_t n) {
  for (std::int32_t& first : order) first = static_cast<std::int32_t>(n) - first;
  spacing = -spacing;
}

template struct RadixChain<float>;
template struct RadixChain<double>;

}  // namespace weft
