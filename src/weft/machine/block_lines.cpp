// machine/block_lines: radices, and lengths of convolutions.

#include "weft/machine/block_lines.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "weft/base/prime_factors.hpp"

namespace weft {

std::vector<int> device_radices(std::int64_t points) {
  std::vector<int> radices;
  for (const int radix : {13, 11, 9, 7, 5, 3})
    for (; points % radix == 0; points /= radix) radices.push_back(radix);
  // Powers of two: as few steps as there can be, of radices 16 and 8, and 4 or 2 for the rest.
  int bits = 0;
  for (; points % 2 == 0; points /= 2) ++bits;
  if (points != 1) return {};
  while (bits > 0) {
    const int taken = bits == 5 || bits == 3 || bits == 6 ? 3 : std::min(bits, 4);
    radices.push_back(1 << taken);
    bits -= taken;
  }
  std::ranges::sort(radices, std::greater());
  return radices;
}

std::int64_t threads_for(std::int64_t butterflies, int radix) {
  const std::int64_t each = butterflies_of_thread(radix);
  return (butterflies + each - 1) / each;
}

namespace {

bool fits(const BlockSteps& steps, std::int64_t number_bytes, const BlockLimits& limits) {
  return steps.points * number_bytes <= limits.shared_bytes &&
         std::ranges::all_of(steps.radices, [&](int radix) {
           return threads_for(steps.points / radix, radix) <= limits.threads;
         });
}

// Steps of prime factors up to 13. A thread holds one butterfly of 9 points, but five of 3: long
// lines, for which there are not enough threads else, take two steps of 3.
BlockSteps radix_steps(std::int64_t n, std::int64_t number_bytes, const BlockLimits& limits) {
  BlockSteps steps{n, device_radices(n)};
  if (fits(steps, number_bytes, limits)) return steps;
  const auto nines = std::erase(steps.radices, 9);
  steps.radices.insert(steps.radices.end(), 2 * nines, 3);
  std::ranges::sort(steps.radices, std::greater());
  return steps;
}

bool has_small_factors_only(std::int64_t n) {
  for (const int factor : {2, 3, 5, 7})
    while (n % factor == 0) n /= factor;
  return n == 1;
}

// Of the lengths from 2 n - 1 on, that with the fewest points times steps: every step loads and
// stores all points in shared memory. There are no radices 11 and 13, as these need the most
// registers.
std::optional<BlockSteps> bluesteins_steps(std::int64_t n, std::int64_t number_bytes,
                                           const BlockLimits& limits) {
  std::optional<BlockSteps> best;
  std::int64_t least = 0;
  for (std::int64_t points = 2 * n - 1; points < 4 * n; ++points) {
    if (points * number_bytes > limits.shared_bytes) break;
    if (!has_small_factors_only(points)) continue;
    BlockSteps steps = radix_steps(points, number_bytes, limits);
    const std::int64_t cost = points * static_cast<std::int64_t>(steps.radices.size());
    if ((best && cost >= least) || !fits(steps, number_bytes, limits)) continue;
    best = std::move(steps);
    least = cost;
  }
  return best;
}

}  // namespace

std::optional<BlockSteps> block_steps(std::int64_t n, std::int64_t number_bytes,
                                      const BlockLimits& limits) {
  if (!device_radices(n).empty() || n == 1) return radix_steps(n, number_bytes, limits);
  if (is_prime(n) && !device_radices(n - 1).empty())
    return radix_steps(n - 1, number_bytes, limits);
  return bluesteins_steps(n, number_bytes, limits);
}

std::int64_t block_threads(std::int64_t lines, std::int64_t stored, const BlockSteps& steps,
                           int warp) {
  std::int64_t threads = (lines * stored + points_of_thread - 1) / points_of_thread;
  for (const int radix : steps.radices)
    threads = std::max(threads, threads_for(lines * (steps.points / radix), radix));
  return (threads + warp - 1) / warp * warp;
}

// Rader's convolution has room for two numbers more, which stand apart.
std::int64_t block_numbers(std::int64_t points, std::int64_t loaded, const BlockSteps& steps) {
  return std::max<std::int64_t>({loaded, steps.points, steps.points < points ? points + 1 : 0});
}

bool block_holds(std::int64_t points, std::int64_t number_bytes, const BlockLimits& limits) {
  const std::optional<BlockSteps> steps = block_steps(points, number_bytes, limits);
  if (!steps || steps->radices.size() > most_block_steps || points >= block_points_limit)
    return false;
  const std::int64_t stored = block_numbers(points, points, *steps);
  return stored * number_bytes <= limits.shared_bytes &&
         block_threads(1, stored, *steps, limits.warp) <= limits.threads;
}

}  // namespace weft
