// device/line_shape: radices, lengths of convolutions, lines and threads.

#include "weft/device/line_shape.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "weft/fft/prime_factors.hpp"

namespace weft {

namespace {

// The largest index of an element of a part or of a butterfly of a tile that a Divisor divides.
constexpr std::int64_t index_limit = std::int64_t{1} << 16;

// Points of the complex transform that a line becomes (see device/line_ends).
std::int64_t complex_points(const LineWork& work) {
  const std::int64_t n = work.points;
  if (work.sum == LineSum::dct1) return 2 * (n - 1);
  if (work.sum == LineSum::dst1) return 2 * (n + 1);
  const bool is_real = work.form == LineForm::r2c || work.form == LineForm::c2r;
  return is_real && n % 2 == 0 ? n / 2 : n;
}
// Numbers of a line that are loaded, or zero.
std::int64_t stored_points(const LineWork& work, std::int64_t complex_points) {
  if (work.sum != LineSum::none) return work.sum == LineSum::dst1 ? work.points + 1 : work.points;
  // The spectrum of an even real line is loaded as a whole, with one number more than half.
  return work.form == LineForm::c2r && work.points % 2 == 0 ? complex_points + 1 : complex_points;
}

// Threads that hold all points of a step's butterflies.
std::int64_t threads_for(std::int64_t butterflies, int radix) {
  const std::int64_t each = butterflies_of_thread(radix);
  return (butterflies + each - 1) / each;
}

std::int64_t number_bytes(const LineWork& work) {
  return work.precision == Precision::single_precision ? 8 : 16;
}

struct Steps {
  std::int64_t points = 1;  // of the steps
  std::vector<int> radices;
};

bool fits(const Steps& steps, const LineWork& work, const BlockLimits& limits) {
  return steps.points * number_bytes(work) <= limits.shared_bytes &&
         std::ranges::all_of(steps.radices, [&](int radix) {
           return threads_for(steps.points / radix, radix) <= limits.threads;
         });
}

// Steps of prime factors up to 13. A thread holds one butterfly of 9 points, but five of 3: long
// lines, for which there are not enough threads else, take two steps of 3.
Steps radix_steps(std::int64_t n, const LineWork& work, const BlockLimits& limits) {
  Steps steps{n, device_radices(n)};
  if (fits(steps, work, limits)) return steps;
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
std::optional<Steps> bluesteins_steps(std::int64_t n, const LineWork& work,
                                      const BlockLimits& limits) {
  std::optional<Steps> best;
  std::int64_t least = 0;
  for (std::int64_t points = 2 * n - 1; points < 4 * n; ++points) {
    if (points * number_bytes(work) > limits.shared_bytes) break;
    if (!has_small_factors_only(points)) continue;
    Steps steps = radix_steps(points, work, limits);
    const std::int64_t cost = points * static_cast<std::int64_t>(steps.radices.size());
    if ((best && cost >= least) || !fits(steps, work, limits)) continue;
    best = std::move(steps);
    least = cost;
  }
  return best;
}

// The steps of a line that is transformed as `n` complex points.
std::optional<Steps> steps_of(std::int64_t n, const LineWork& work, const BlockLimits& limits) {
  if (work.is_copy) return Steps{n, {}};
  if (!device_radices(n).empty() || n == 1) return radix_steps(n, work, limits);
  if (is_prime(n) && !device_radices(n - 1).empty()) return radix_steps(n - 1, work, limits);
  return bluesteins_steps(n, work, limits);
}

struct Size {
  std::int64_t line_stride, point_stride, numbers;
};
// Lines that are adjacent in a tile, or points, with one number between lines where it makes
// their distance odd: threads that take the same point of adjacent lines find them in different
// banks.
Size size_of(std::int64_t lines, std::int64_t stored, bool lines_first) {
  if (lines_first) return {1, lines, lines * stored};
  const std::int64_t stride = lines == 1 ? stored : stored | 1;
  return {stride, 1, stride * lines};
}

}  // namespace

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

namespace {

void set_steps(LineShape& shape, const Steps& steps, std::int64_t lines) {
  shape.step_points = static_cast<std::int32_t>(steps.points);
  std::int64_t stride = 1;
  for (const int radix : steps.radices) {
    LineStep& step = shape.step[static_cast<std::size_t>(shape.steps++)];
    step.radix = radix;
    step.butterflies = static_cast<std::int32_t>(steps.points / radix);
    step.stride = static_cast<std::int32_t>(stride);
    step.by_stride = Divisor(stride);
    step.by_fastest = Divisor(shape.lines_first != 0 ? lines : steps.points / radix);
    stride *= radix;
  }
}

void set_halves(LineShape& shape, const LineWork& work) {
  shape.has_halves = work.split_points > 0 ? 1 : 0;
  shape.turn_line = work.turns_by_line ? 1 : 0;
  while ((std::int64_t{1} << (2 * shape.turn_shift)) < work.split_points) ++shape.turn_shift;
}

}  // namespace

std::optional<LineLaunch> line_launch(const LineWork& work, const BlockLimits& limits) {
  const std::int64_t transformed = complex_points(work);
  const std::optional<Steps> steps = steps_of(transformed, work, limits);
  if (!steps || steps->radices.size() > LineShape::most_steps) return std::nullopt;
  LineLaunch launch;
  LineShape& shape = launch.shape;
  shape.form = work.form;
  shape.sum = work.sum;
  shape.is_copy = work.is_copy ? 1 : 0;
  shape.backward = work.backward ? 1 : 0;
  shape.points = static_cast<std::int32_t>(work.points);
  shape.complex_points = static_cast<std::int32_t>(transformed);
  shape.stored_points = static_cast<std::int32_t>(stored_points(work, transformed));
  shape.lines_first = work.lines_first ? 1 : 0;
  // Rader's convolution has room for two numbers more, which stand apart.
  const std::int64_t stored = std::max<std::int64_t>(
      {shape.stored_points, steps->points, steps->points < transformed ? transformed + 1 : 0});

  // Complex lines of a tile, and lines of the field in each.
  const std::int64_t joined = shape.joins_lines() ? 2 : 1;
  std::int64_t lines = 64;
  while (lines > 1 && lines / 2 * joined >= work.lines) lines /= 2;
  const auto threads_of = [&](std::int64_t count) {
    std::int64_t threads = (count * stored + points_of_thread - 1) / points_of_thread;
    for (const int radix : steps->radices)
      threads = std::max(threads, threads_for(count * (steps->points / radix), radix));
    return (threads + limits.warp - 1) / limits.warp * limits.warp;
  };
  const auto fits = [&](std::int64_t count) {
    return size_of(count, stored, work.lines_first).numbers * number_bytes(work) <=
               limits.shared_bytes &&
           threads_of(count) <= limits.threads && count * joined * work.points < index_limit;
  };
  while (lines > 1 && !fits(lines)) lines /= 2;
  // Half of what a block may take, so that a processor has two blocks, of which one loads while the
  // other computes, unless rows of adjacent lines get shorter than memory gives at once.
  constexpr std::int64_t row_bytes = 128;
  while (lines > row_bytes / number_bytes(work) &&
         (2 * threads_of(lines) > limits.threads ||
          2 * size_of(lines, stored, work.lines_first).numbers * number_bytes(work) >
              limits.shared_bytes))
    lines /= 2;
  if (!fits(lines)) return std::nullopt;

  const Size size = size_of(lines, stored, work.lines_first);
  shape.lines = static_cast<std::int32_t>(lines * joined);
  shape.point_stride = static_cast<std::int32_t>(size.point_stride);
  shape.line_stride = static_cast<std::int32_t>(size.line_stride);
  set_steps(shape, *steps, lines);
  set_halves(shape, work);
  launch.threads = static_cast<int>(threads_of(lines));
  launch.shared_bytes = size.numbers * number_bytes(work);
  return launch;
}

std::int64_t longest_line(const LineWork& work, const BlockLimits& limits) {
  LineWork longest = work;
  longest.points = 2 * limits.shared_bytes / number_bytes(work);
  while (longest.points > 0 && !line_launch(longest, limits)) --longest.points;
  return longest.points;
}

}  // namespace weft
